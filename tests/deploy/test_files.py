"""What the files of the deployment say, read as data: these need no engine."""

import json
import re
import subprocess

import pytest
import yaml

from tests.product import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("web", "events", "worker", "beat", "migrate", "runner", "proxy", "redis")
PROFILE = json.loads((ROOT / "deploy/seccomp-runner.json").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
# Named in docs/sandbox.md as what the runner needs beyond an engine's own profile.
FOR_NAMESPACES = {"unshare", "setns", "clone", "mount", "umount2", "mount_setattr", "pivot_root", "sethostname"}
# What no process of the container has any business with.
NEVER = {
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "add_key", "request_key", "keyctl", "bpf"),
    *("perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module", "kexec_load"),
    *("kexec_file_load", "open_by_handle_at", "name_to_handle_at", "chroot", "reboot", "swapon", "settimeofday"),
    *("io_uring_setup", "io_setup", "vmsplice", "splice", "tee", "mknod", "mknodat", "syslog", "quotactl", "iopl"),
}


def allowed():
    rules = [rule for rule in PROFILE["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("args")]
    return {name for rule in rules for name in rule["names"]}


def locked(path):
    text = (ROOT / path).read_text()
    entries = re.findall(r"(?m)^[\w.-]+==\S+(?: ;[^\\\n]*)? \\\n(?: +--hash=\S+(?: \\)?\n)+", text)
    return {entry.split("==")[0]: entry for entry in entries}


def test_no_service_is_privileged_or_holds_the_engine():
    for name, service in SERVICES.items():
        assert "privileged" not in service, name
        assert "docker.sock" not in json.dumps(service), name
        assert "network_mode" not in service or name == "runner", name
        assert not {"pid", "ipc", "devices", "userns_mode"} & service.keys(), name


@pytest.mark.parametrize("name", OURS)
def test_service_has_no_rights_and_writes_only_to_its_memory(name):
    service = SERVICES[name]

    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["read_only"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert [mount.split(":")[0] for mount in service["tmpfs"]] == ["/tmp"]


def test_runner_has_neither_network_nor_secrets_nor_settings():
    runner = SERVICES["runner"]

    assert runner["network_mode"] == "none"
    assert not {"secrets", "environment", "env_file", "networks", "ports"} & runner.keys()
    assert runner["volumes"] == ["runner-socket:/run/quizsite-runner"]
    assert "seccomp=./deploy/seccomp-runner.json" in runner["security_opt"]
    assert runner["mem_limit"] == runner["memswap_limit"]


def test_only_the_runner_has_another_system_call_profile():
    named = {name for name, service in SERVICES.items() if "seccomp" in json.dumps(service.get("security_opt", []))}

    assert named == {"runner"}


def test_runner_image_holds_the_sandbox_and_nothing_of_the_site():
    stage = DOCKERFILE[DOCKERFILE.index("FROM runner-base AS runner\n") :]

    copied = re.findall(r"(?m)^COPY (?!--from)(\S+)", stage)

    assert copied == ["worker/__init__.py", "worker/sandbox"]
    assert '"env", "-i"' in stage
    assert re.findall(r"(?m)^USER (\w+)", DOCKERFILE) == ["web", "worker", "runner"]


def test_runner_gets_the_same_packages_as_are_locked():
    whole, part = locked("requirements.lock"), locked("requirements-runner.lock")

    assert {"numpy", "safetensors", "einops", "matplotlib", "pyseccomp"} <= part.keys()
    assert part == {name: whole[name] for name in part}


def test_worker_may_reach_the_socket_and_the_web_may_not():
    numbers = dict(re.findall(r"--uid (\d+) .*?(\w+) (?:\\\n|$)", DOCKERFILE))
    options = COMPOSE["volumes"]["runner-socket"]["driver_opts"]["o"]

    assert len(set(numbers)) == len(set(numbers.values())) == 3
    assert "--groups runner worker" in DOCKERFILE
    assert "uid=10003,gid=10003,mode=0750" in options
    holders = {name for name, service in SERVICES.items() if "runner-socket" in json.dumps(service)}
    assert holders == {"worker", "runner"}


def test_only_the_proxy_is_reached_from_outside():
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy"}
    assert {name for name, network in COMPOSE["networks"].items() if not (network or {}).get("internal")} == {"edge"}
    assert {name for name, service in SERVICES.items() if "edge" in service.get("networks", [])} == {"proxy"}


@pytest.mark.parametrize(
    ("name", "secret"), [("university.yml", "oidc_client_secret"), ("trusted-proxy.yml", "proxy_secret")]
)
def test_another_way_to_sign_in_gives_web_alone_what_it_needs(name, secret):
    addition = yaml.safe_load((ROOT / "deploy" / name).read_text())

    (service,) = addition["services"].values()
    assert list(addition["services"]) == ["web"]
    assert service["secrets"] == [*SERVICES["web"]["secrets"], secret]
    assert addition["secrets"] == {secret: {"file": f"./deploy/secrets/{secret}"}}
    assert set(service.get("networks", [])) - {"outside"} in (set(), set(SERVICES["web"]["networks"]))
    assert all(variable.endswith("_FILE") or "SECRET" not in variable for variable in service["environment"])


def test_events_have_no_way_to_the_database():
    events = SERVICES["events"]

    assert "data" not in events["networks"]
    assert "database_password" not in events["secrets"]


def test_secrets_are_files_and_no_variable_holds_one():
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            assert variable.endswith("_FILE") or not re.search("KEY|PASSWORD|SECRET", variable), name
            assert "@" not in str(value) or ":" not in str(value).split("//")[-1].split("@")[0], variable


def test_every_service_says_how_it_starts_again_and_stops():
    for name, service in SERVICES.items():
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped"), name
        assert "stop_grace_period" in service or name == "migrate", name
        assert "healthcheck" in service or name in {"migrate", "beat"}, name


def test_profile_lets_the_runner_make_namespaces_and_nothing_worse():
    assert PROFILE["defaultAction"] == "SCMP_ACT_ERRNO"
    assert allowed() >= FOR_NAMESPACES
    assert not allowed() & NEVER


def test_profile_answers_clone3_in_the_one_way_that_callers_understand():
    (rule,) = [rule for rule in PROFILE["syscalls"] if "clone3" in rule["names"]]

    assert (rule["action"], rule["errnoRet"]) == ("SCMP_ACT_ERRNO", 38)


def test_profile_allows_sockets_of_the_local_family_only():
    (rule,) = [rule for rule in PROFILE["syscalls"] if "socket" in rule["names"]]

    assert rule["args"] == [{"index": 0, "value": 1, "valueTwo": 0, "op": "SCMP_CMP_EQ"}]


def test_proxy_logs_no_token_and_passes_on_what_it_sees_itself():
    site, common = ((ROOT / "deploy/nginx" / name).read_text() for name in ("site.inc", "common.inc"))

    assert "sign-in|join|events" in common
    assert "access_log /dev/stdout short;" in common
    assert "X-Forwarded-For $remote_addr;" in site
    assert "X-Forwarded-Proto $visitor_scheme;" in site


def test_only_behind_a_proxy_of_the_host_is_another_believed_about_the_visitor():
    confs = {name: (ROOT / "deploy/nginx" / f"{name}.conf").read_text() for name in ("http", "tls", "behind")}
    addition = yaml.safe_load((ROOT / "deploy/existing-proxy.yml").read_text())

    assert {name for name, text in confs.items() if "set_real_ip_from" in text} == {"behind"}
    assert {name for name, text in confs.items() if "$http_x_forwarded" in text} == {"behind"}
    assert list(addition["services"]) == ["proxy"]
    assert "/etc/quizsite/behind.conf" in addition["services"]["proxy"]["command"]


def test_secrets_are_made_once_and_differ(tmp_path):
    script = tmp_path / "make-secrets"
    script.write_bytes((ROOT / "deploy/make-secrets").read_bytes())
    (tmp_path / "secrets").mkdir()

    subprocess.run(["sh", script], check=True, capture_output=True)
    first = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    subprocess.run(["sh", script], check=True, capture_output=True)

    assert first == {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert first.pop("old_secret_keys") == ""
    assert first.keys() == {"secret_key", "database_password", "redis_password", "metrics_token"}
    assert len(set(first.values())) == 4
    assert all(re.fullmatch(r"[\w-]{64}", secret) for secret in first.values())
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0


def script(name, *arguments):
    """Exit status and words of a script that finds out what is wrong before it needs an engine."""
    command = ["sh", ROOT / "deploy" / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    return done.returncode, done.stderr


def test_backup_never_replaces_what_is_no_backup(tmp_path):
    (tmp_path / "mine").write_text("mine")

    refused, words = script("backup", tmp_path)
    forced, other_words = script("backup", tmp_path, "--force")

    assert (refused, forced) == (1, 1)
    assert "holds something; name a new folder" in words
    assert "holds something that is not a backup" in other_words
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("sums", [None, "", f"{'0' * 64}  about.json\n", "not sums\n"])
def test_restore_refuses_what_is_not_whole(sums, tmp_path):
    (tmp_path / "about.json").write_text("{}")
    if sums is not None:
        (tmp_path / "SHA256SUMS").write_text(sums)

    status, words = script("restore", tmp_path)

    assert status == 1
    assert "is damaged; take another one" in words

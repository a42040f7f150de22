"""What the manifests of the cluster say, read as data: no cluster has tried them."""

import json

import pytest
import yaml

from tests.product import ROOT

FOLDER = ROOT / "deploy/kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
OBJECTS = [
    each for name in KUSTOMIZATION["resources"] for each in yaml.safe_load_all((FOLDER / name).read_text()) if each
]
PODS = {
    each["metadata"]["name"]: each["spec"]["template"]["spec"]
    for each in OBJECTS
    if each["kind"] in ("Deployment", "Job")
}
CONTAINERS = {each["name"]: (pod, each) for pod in PODS.values() for each in pod["containers"]}


def security(pod, container):
    return {**pod.get("securityContext", {}), **container["securityContext"]}


def mounted(container):
    return {mount["name"] for mount in container.get("volumeMounts", [])}


def test_every_file_is_among_the_resources():
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}

    assert files == set(KUSTOMIZATION["resources"])


@pytest.mark.parametrize("name", CONTAINERS)
def test_container_is_no_root_writes_nothing_and_gains_nothing(name):
    rules = security(*CONTAINERS[name])

    assert rules["runAsNonRoot"]
    assert rules["runAsUser"] > 10_000
    assert rules["readOnlyRootFilesystem"]
    assert rules["allowPrivilegeEscalation"] is False
    assert rules["capabilities"] == {"drop": ["ALL"]}
    assert rules["seccompProfile"]["type"] in ("RuntimeDefault", "Localhost")


def test_no_pod_gets_anything_of_its_node_or_of_the_cluster():
    for pod in PODS.values():
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
        assert not any("hostPath" in volume for volume in pod["volumes"])


def test_runner_has_its_own_filter_and_no_secret():
    _pod, runner = CONTAINERS["runner"]

    assert runner["securityContext"]["seccompProfile"]["localhostProfile"] == "quizsite/seccomp-runner.json"
    assert mounted(runner) == {"runner-socket", "runner-tmp"}
    assert not {"env", "envFrom"} & runner.keys()
    assert runner["resources"]["limits"]["memory"] == "4Gi"


def test_filter_of_the_runner_knows_unix_sockets_alone():
    profile = json.loads((ROOT / "deploy/seccomp-runner.json").read_text())

    (socket,) = [rule for rule in profile["syscalls"] if "socket" in rule["names"]]

    assert [(each["index"], each["value"], each["op"]) for each in socket["args"]] == [(0, 1, "SCMP_CMP_EQ")]


def test_events_know_no_way_to_the_database():
    pod, events = CONTAINERS["events"]
    (secrets,) = [volume["secret"] for volume in pod["volumes"] if "secret" in volume]

    assert "envFrom" not in events
    assert {item["key"] for item in secrets["items"]} == {"secret_key", "redis_password"}


def test_nobody_speaks_to_anybody_but_for_what_is_named():
    policies = {each["metadata"]["name"]: each["spec"] for each in OBJECTS if each["kind"] == "NetworkPolicy"}
    (database,) = policies["to-database"]["podSelector"]["matchExpressions"]

    assert policies["none"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert "events" not in database["values"]


def test_workers_grow_with_a_number_that_the_site_tells():
    (scaled,) = [each["spec"] for each in OBJECTS if each["kind"] == "ScaledObject"]
    (trigger,) = scaled["triggers"]

    assert scaled["scaleTargetRef"]["name"] in PODS
    assert "quizsite_queue_oldest_seconds" in trigger["metadata"]["query"]
    assert "quizsite_queue_oldest_seconds" in (ROOT / "quizsite/metrics.py").read_text()

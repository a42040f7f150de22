# Three images from one source:
#   web     pages, API, events, beat, migrations; no torch, no sandbox process
#   worker  grading and its commands; no torch either
#   runner  runs students' code: torch and worker/sandbox, nothing of the site, no configuration, no secrets
#
# PYTHON_IMAGE  a Debian-like image with python3 (3.11 to 3.13), its module venv, and C.UTF-8
# TORCH         what is handed to pip to install torch: a version, or options and a version
# PIP_OPTIONS   options for all of pip's work; wheels laid into deploy/wheels are found without any
ARG PYTHON_IMAGE=python:3.12-slim-bookworm

FROM ${PYTHON_IMAGE} AS base
ENV LANG=C.UTF-8 PYTHONUNBUFFERED=1 PATH=/opt/quizsite/venv/bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin
# The same numbers in every image: the socket of the runner is for its group, which the worker belongs to.
RUN groupadd --gid 10003 runner \
    && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin web \
    && useradd --uid 10002 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --groups runner worker \
    && useradd --uid 10003 --gid runner --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin runner \
    && install --directory --owner=runner --group=runner --mode=0750 /run/quizsite-runner
WORKDIR /opt/quizsite/app

FROM base AS site-packages
ARG PIP_OPTIONS=""
COPY deploy/wheels /wheels
COPY requirements.lock ./
RUN python3 -m venv /opt/quizsite/venv \
    && pip install --no-cache-dir --disable-pip-version-check --find-links /wheels ${PIP_OPTIONS} \
        --require-hashes --no-deps --requirement requirements.lock

FROM base AS site
COPY --from=site-packages /opt/quizsite/venv /opt/quizsite/venv
COPY manage.py ./
COPY graders graders
COPY exercises exercises
COPY worker worker
COPY quizsite quizsite
# The root file system is read-only when it runs: what Python compiles and what browsers fetch is made now.
RUN chmod -R a+rX,go-w . && python -m compileall -q . \
    && DATA=/opt/quizsite/data python manage.py collectstatic --no-input --verbosity 0
ENV QUIZSITE_MODE=production DATA=/opt/quizsite/data DJANGO_SETTINGS_MODULE=quizsite.settings PYTHONDONTWRITEBYTECODE=1

FROM site AS web
USER web
EXPOSE 8000
CMD ["gunicorn", "quizsite.wsgi:application", "--bind=0.0.0.0:8000", "--worker-class=gthread", \
     "--worker-tmp-dir=/tmp", "--graceful-timeout=25"]

FROM site AS worker
USER worker
CMD ["celery", "--app=worker.app", "worker", "--pool=prefork", "--loglevel=INFO", \
     "--without-gossip", "--without-mingle", "--without-heartbeat"]

FROM base AS runner-base
# What makes the system-call filter. Nothing here may raise its rights by being started.
RUN ldconfig --print-cache | grep -q libseccomp.so.2 \
    || (apt-get update && apt-get install --yes --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*)
RUN find / -xdev -type f -perm /6000 -exec chmod a-s {} +

FROM runner-base AS runner-packages
ARG PIP_OPTIONS=""
ARG TORCH="torch==2.13.0"
COPY deploy/wheels /wheels
COPY requirements-runner.lock ./
RUN python3 -m venv /opt/quizsite/venv \
    && pip install --no-cache-dir --disable-pip-version-check --find-links /wheels ${PIP_OPTIONS} ${TORCH}
RUN pip install --no-cache-dir --disable-pip-version-check --find-links /wheels ${PIP_OPTIONS} \
        --require-hashes --no-deps --requirement requirements-runner.lock

FROM runner-base AS runner
COPY --from=runner-packages /opt/quizsite/venv /opt/quizsite/venv
COPY worker/__init__.py worker/__init__.py
COPY worker/sandbox worker/sandbox
RUN chmod -R a+rX,go-w . && python -m compileall -q .
USER runner
# With an empty environment: what an engine sets is none of a student's business.
ENTRYPOINT ["env", "-i", "LANG=C.UTF-8", "/opt/quizsite/venv/bin/python", "-s", "-m", "worker.sandbox.runner", \
            "--socket=/run/quizsite-runner/runner.sock", "--for-group"]

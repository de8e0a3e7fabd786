# The app for a server. docs/deployment.md says how to run it: behind a proxy, read-only, with limits.
FROM python:3.13-slim

# Kernels are compiled here for any processor of this kind, not for the one that builds the image.
# A newer kind is two to three times as fast: --build-arg CPU=x86-64-v3.
ARG CPU=generic
ENV NUMBA_CACHE_DIR=/opt/nestviz/kernels \
    NUMBA_CPU_NAME=${CPU} \
    MPLCONFIGDIR=/tmp/matplotlib \
    PYTHONDONTWRITEBYTECODE=1

COPY . /opt/nestviz/source
RUN python -m pip install --no-cache-dir -c /opt/nestviz/source/constraints.txt \
      "nestviz[app] @ file:///opt/nestviz/source" \
    && rm -r /opt/nestviz/source \
    && nestviz compile \
    && useradd --system --no-create-home --shell /usr/sbin/nologin nestviz

# The kernels belong to root: the app loads them, and cannot change them.
USER nestviz
WORKDIR /tmp
EXPOSE 8501
HEALTHCHECK --start-period=30s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=5)"]
CMD ["nestviz", "app", "--address", "0.0.0.0", "--port", "8501", "--headless"]

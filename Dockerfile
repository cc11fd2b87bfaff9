# syntax=docker/dockerfile:1
# The daemon in a container, as the tar.gz of `npm run package:daemon` has it.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
# Without scripts: Electron would bring its binary.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE electron.vite.config.ts tsconfig.json ./
COPY assets ./assets
COPY main ./main
COPY preload ./preload
COPY renderer ./renderer
COPY scripts ./scripts
ARG TARGETARCH=amd64
RUN npm run package:daemon -- --fast --format tar.gz --arch "$(echo "$TARGETARCH" | sed s/amd64/x64/)" --output /packages \
  && mkdir /opt/tillbeacon && tar -xzf /packages/tillbeacon-*.tar.gz --strip-components=1 -C /opt/tillbeacon

FROM debian:bookworm-slim
RUN groupadd --system --gid 10001 tillbeacon \
  && useradd --system --uid 10001 --gid 10001 --groups dialout --no-create-home --home-dir /var/lib/tillbeacon tillbeacon \
  && install --directory --owner=tillbeacon --group=tillbeacon --mode=0700 /var/lib/tillbeacon
COPY --from=build /opt/tillbeacon /opt/tillbeacon
# As the service has it.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 NODE_OPTIONS=--expose-gc
USER tillbeacon
VOLUME /var/lib/tillbeacon
WORKDIR /var/lib/tillbeacon
# Healthy while the daemon answers: it must not be replaced because the wallet service is away, while it settles. /readyz says whether the tills can pay.
# The screens answer to this computer alone: give the container the network of its host.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/opt/tillbeacon/bin/node", "-e", "fetch('http://127.0.0.1:4180/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/tillbeacon/tillbeacon"]
CMD ["daemon", "--data", "/var/lib/tillbeacon", "--port", "4180"]

# The daemon in a container, as the tar.gz of `npm run package:daemon` has it. Base images have a tag for people and a digest that counts. To see what a tag
# is today: docker buildx imagetools inspect node:24-bookworm-slim
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
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
# BuildKit's: the architecture that the image is for. A default would go before it.
ARG TARGETARCH
RUN case "$TARGETARCH" in amd64) arch=x64 ;; arm64) arch=arm64 ;; *) echo "no package for TARGETARCH=\"$TARGETARCH\": build with BuildKit, for amd64 or arm64" >&2; exit 1 ;; esac \
  && npm run package:daemon -- --fast --format tar.gz --arch "$arch" --output /packages \
  && mkdir /opt/tillbeacon && tar -xzf /packages/tillbeacon-*.tar.gz --strip-components=1 -C /opt/tillbeacon

FROM debian:bookworm-20260824-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
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

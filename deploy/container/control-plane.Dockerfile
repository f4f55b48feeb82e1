# A control-plane process, for linux/amd64 and linux/arm64: docker build -f deploy/container/control-plane.Dockerfile -t watchpost-control-plane .
# Its labels have what --build-arg VERSION=…, SOURCE_COMMIT=… and SOURCE_URL=… name; the programs report the commit, too.
# With podman or buildah add --format docker: images of the other format have no health check.
# JavaScript alone, which is the same for every architecture: it is built on that of the builder.
FROM --platform=$BUILDPLATFORM node:26-bookworm-slim AS build
ARG SOURCE_COMMIT
WORKDIR /src
COPY . .
RUN npm run build:control-plane

FROM node:26-bookworm-slim
ARG VERSION
ARG SOURCE_COMMIT
ARG SOURCE_URL
LABEL org.opencontainers.image.title="Watchpost control plane" \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$SOURCE_COMMIT \
  org.opencontainers.image.source=$SOURCE_URL \
  org.opencontainers.image.licenses=LicenseRef-UNLICENSED
ENV NODE_ENV=production DATA_DIR=/var/lib/watchpost
WORKDIR /opt/watchpost
COPY --from=build /src/dist/control-plane ./
RUN install -d -m 700 -o node -g node /var/lib/watchpost
USER node
EXPOSE 8080 8443 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# It drains on SIGTERM: give it 40 s (docker stop -t 40).
ENTRYPOINT ["node", "--enable-source-maps", "control-plane/dist/main.js"]

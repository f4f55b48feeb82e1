# An agent, for linux/amd64 and linux/arm64: docker build -f deploy/container/agent.Dockerfile -t watchpost-agent .
# Its labels have what --build-arg VERSION=…, SOURCE_COMMIT=… and SOURCE_URL=… name; the agent reports the commit, too.
# With podman or buildah add --format docker: images of the other format have no health check.
# JavaScript alone, which is the same for every architecture: it is built on that of the builder.
FROM --platform=$BUILDPLATFORM node:26-bookworm-slim AS build
ARG SOURCE_COMMIT
WORKDIR /src
COPY . .
RUN npm run build:agent -- --bundle-only

FROM node:26-bookworm-slim
ARG VERSION
ARG SOURCE_COMMIT
ARG SOURCE_URL
LABEL org.opencontainers.image.title="Watchpost agent" \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$SOURCE_COMMIT \
  org.opencontainers.image.source=$SOURCE_URL \
  org.opencontainers.image.licenses=LicenseRef-UNLICENSED
ENV NODE_ENV=production DATA_DIR=/var/lib/watchpost-agent
COPY --from=build /src/dist/agent/watchpost-agent.mjs /src/dist/agent/THIRD_PARTY.txt /opt/watchpost/
# Created here, so that a new volume belongs to the user of the agent.
RUN install -d -m 700 -o node -g node /var/lib/watchpost-agent
VOLUME /var/lib/watchpost-agent
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.METRICS_PORT || 9465) + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# It takes SIGTERM itself: give it 25 s to send what it has (docker stop -t 25).
ENTRYPOINT ["node", "/opt/watchpost/watchpost-agent.mjs"]

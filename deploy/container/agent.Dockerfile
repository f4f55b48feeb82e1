# An agent: docker build -f deploy/container/agent.Dockerfile -t watchpost-agent .
# With podman or buildah add --format docker: images of the other format have no health check.
FROM node:26-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --loglevel=error && npm run build:agent -- --bundle-only

FROM node:26-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/var/lib/watchpost-agent
COPY --from=build /src/dist/agent/watchpost-agent.mjs /opt/watchpost/watchpost-agent.mjs
# Created here, so that a new volume belongs to the user of the agent.
RUN install -d -m 700 -o node -g node /var/lib/watchpost-agent
VOLUME /var/lib/watchpost-agent
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.METRICS_PORT || 9465) + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# It takes SIGTERM itself: give it 25 s to send what it has (docker stop -t 25).
ENTRYPOINT ["node", "/opt/watchpost/watchpost-agent.mjs"]

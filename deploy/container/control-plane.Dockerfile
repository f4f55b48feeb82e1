# A control-plane process: docker build -f deploy/container/control-plane.Dockerfile -t watchpost-control-plane .
# With podman or buildah add --format docker: images of the other format have no health check.
FROM node:26-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --loglevel=error && npx tsc -b shared control-plane agent && node control-plane/console/build.mjs && npm prune --omit=dev --omit=optional --loglevel=error

FROM node:26-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/var/lib/watchpost
WORKDIR /opt/watchpost
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/proto proto
COPY --from=build /src/shared shared
COPY --from=build /src/control-plane control-plane
COPY --from=build /src/agent agent
RUN install -d -m 700 -o node -g node /var/lib/watchpost
USER node
EXPOSE 8080 8443 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# It drains on SIGTERM: give it 40 s (docker stop -t 40).
ENTRYPOINT ["node", "--enable-source-maps", "control-plane/dist/main.js"]

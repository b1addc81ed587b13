# One image for all services: the command says which. `docker build -t openvenue .`
# The digest is that of the tag for several architectures; both are to be changed together.
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS terminal
WORKDIR /build
COPY . .
# Scripts of packages are not run: the one that matters would bring a second Node.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && cd terminal && node scripts/build.ts

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS packages
WORKDIR /app
COPY . .
# Of what is left, a development chain and compilers are in nobody's way at run time.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --include-workspace-root \
      -w indexer -w keeper -w api \
 && rm -rf node_modules/@foundry-rs node_modules/typescript node_modules/@typescript \
      terminal client cli adapters examples docs/decisions docs/pictures deploy devnet

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
# Nothing is installed by the services: without npm a stolen process has less at hand.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
 && install -d -o node -g node /var/cache/openvenue
WORKDIR /app
COPY --from=packages /app ./
COPY --from=terminal /build/terminal/dist terminal/dist
ENV NODE_ENV=production HOST=0.0.0.0 NODE_COMPILE_CACHE=/var/cache/openvenue
USER node
EXPOSE 3000 3001 3002 3003
# Another service names its own port: see compose.yaml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "ops/alive.ts", "3000"]
CMD ["node", "api/src/node/main.ts"]

# One image for bus-admin and the six services: the command says which process it runs (docs/operating.md#images).
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY libs/contracts/package.json libs/contracts/
COPY libs/generators/package.json libs/generators/
COPY libs/pages/package.json libs/pages/
COPY libs/rules/package.json libs/rules/
COPY libs/service/package.json libs/service/
COPY packages/cli/package.json packages/cli/
COPY packages/sdk/package.json packages/sdk/
COPY services/billing/package.json services/billing/
COPY services/bus-admin/package.json services/bus-admin/
COPY services/catalog/package.json services/catalog/
COPY services/gateway/package.json services/gateway/
COPY services/metrics/package.json services/metrics/
COPY services/planning/package.json services/planning/
COPY services/proposals/package.json services/proposals/
COPY loadtest/package.json loadtest/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.base.json ./
COPY tools tools
COPY libs libs
COPY services services
COPY CHANGELOG.md ./
COPY docs docs
RUN node node_modules/typescript/bin/tsc -b services/bus-admin services/gateway services/catalog services/planning \
    services/billing services/proposals services/metrics \
  && node tools/image.ts bundle
RUN npm sbom --omit=dev --sbom-format=cyclonedx > sbom.json \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && node tools/image.ts assemble image \
  && mv sbom.json image/

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Creator Distribution Service" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/image ./
# A new volume takes the owner of this folder.
COPY --from=build --chown=65532:65532 /build/image/audit /var/lib/cds/audit
USER 65532:65532
ENTRYPOINT ["node"]

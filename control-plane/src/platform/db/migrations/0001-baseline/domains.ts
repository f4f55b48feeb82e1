export const domainsTables = `
  CREATE TABLE domain (
    name text PRIMARY KEY,
    state text,
    expires timestamptz(3),
    registrar text,
    statuses text[] NOT NULL DEFAULT '{}',
    name_servers text[] NOT NULL DEFAULT '{}',
    source text,
    checked timestamptz(3),
    next_query timestamptz(3) NOT NULL,
    unconfirmed_since timestamptz(3),
    held_until timestamptz(3),
    CONSTRAINT domain_state_check CHECK (state IN ('found', 'notOffered', 'notFound', 'unreachable'))
  );
  CREATE INDEX domain_next_query_idx ON domain (next_query);
  CREATE INDEX monitor_domain_idx ON monitor (url) WHERE monitor_types = '{Domain}' AND deleted_at IS NULL;
`;

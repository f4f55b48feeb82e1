const EU_US_ASIA = ['eastus2', 'southeastasia'];
const EU_US = ['eastus2'];
const EU = [];

/**
 * What Acme monitors: name, address, minutes between two checks, regions besides the home region, typical response time in
 * ms, tags, and the types where they are not the usual ones.
 */
const MONITORS_OF = {
  Storefront: [
    [
      'Shop front page',
      'shop.acme.example/',
      5,
      EU_US_ASIA,
      118,
      'team:web env:prod tier:1',
      'HttpAvailability Latency',
    ],
    ['Product pages', 'shop.acme.example/products/4711', 5, EU_US_ASIA, 164, 'team:web env:prod tier:1'],
    ['Product search', 'search.acme.example/?q=lamp', 5, EU_US_ASIA, 231, 'team:search env:prod tier:1'],
    ['Product images', 'images.acme.example/health', 5, EU_US_ASIA, 64, 'team:web env:prod tier:1'],
    ['Basket', 'shop.acme.example/basket', 5, EU_US_ASIA, 142, 'team:web env:prod tier:1'],
    ['Wish lists', 'shop.acme.example/wishes', 10, EU_US, 151, 'team:web env:prod'],
    ['Store finder', 'stores.acme.example/', 10, EU_US, 203, 'team:web env:prod'],
    ['Gift cards', 'gifts.acme.example/', 10, EU_US, 177, 'team:web env:prod'],
    ['Newsletter sign-up', 'news.acme.example/join', 15, EU, 96, 'team:web env:prod'],
    ['Certificate of the shop', 'shop.acme.example/', 30, EU, 0, 'team:web env:prod tier:1', 'SslCertificate'],
  ],
  Payments: [
    [
      'Checkout',
      'checkout.acme.example/health',
      5,
      EU_US_ASIA,
      187,
      'team:payments env:prod tier:1',
      'HttpAvailability Latency',
    ],
    ['Card payments', 'pay.acme.example/cards/health', 5, EU_US_ASIA, 212, 'team:payments env:prod tier:1'],
    ['Invoices', 'pay.acme.example/invoices/health', 10, EU_US, 168, 'team:payments env:prod'],
    ['Refunds', 'pay.acme.example/refunds/health', 10, EU_US, 174, 'team:payments env:prod'],
    ['Fraud scoring', 'fraud.acme.example/health', 5, EU_US, 88, 'team:payments env:prod tier:1'],
    ['Tax service', 'tax.acme.example/health', 10, EU, 134, 'team:payments env:prod'],
    ['Certificate of checkout', 'checkout.acme.example/', 30, EU, 0, 'team:payments env:prod tier:1', 'SslCertificate'],
  ],
  'Public API': [
    [
      'API gateway',
      'api.acme.example/v2/health',
      5,
      EU_US_ASIA,
      73,
      'team:platform env:prod tier:1',
      'HttpAvailability Latency',
    ],
    ['API sign-in', 'id.acme.example/health', 5, EU_US_ASIA, 109, 'team:platform env:prod tier:1'],
    ['Orders API', 'api.acme.example/v2/orders/health', 5, EU_US, 127, 'team:platform env:prod tier:1'],
    ['Catalogue API', 'api.acme.example/v2/catalogue/health', 5, EU_US, 119, 'team:platform env:prod'],
    ['Webhooks', 'hooks.acme.example/health', 10, EU_US, 82, 'team:platform env:prod'],
    ['API documentation', 'docs.acme.example/', 15, EU_US, 58, 'team:platform env:prod'],
    ['API sandbox', 'sandbox.acme.example/health', 15, EU, 141, 'team:platform env:staging'],
    ['Partner portal', 'partners.acme.example/', 10, EU, 246, 'team:platform env:prod'],
  ],
  Data: [
    ['Orders database', 'tcp://db-orders.acme.example:5432', 5, EU, 4, 'team:data env:prod tier:1', 'TcpUdp'],
    ['Catalogue database', 'tcp://db-catalogue.acme.example:5432', 5, EU, 4, 'team:data env:prod', 'TcpUdp'],
    ['Message broker', 'tcp://broker.acme.example:5671', 5, EU, 6, 'team:data env:prod tier:1', 'TcpUdp'],
    ['Warehouse sync', 'sync.acme.example/health', 10, EU, 318, 'team:data env:prod'],
    ['Price import', 'prices.acme.example/health', 15, EU, 402, 'team:data env:prod'],
    ['Search index', 'index.acme.example/health', 10, EU, 93, 'team:search env:prod'],
    ['Reports export', 'export.acme.example/health', 15, EU, 287, 'team:data env:prod'],
  ],
  'Internal tools': [
    ['Staff sign-in', 'sso.acme.example/health', 10, EU, 122, 'team:it env:prod'],
    ['Wiki', 'wiki.acme.example/', 15, EU, 214, 'team:it env:prod'],
    ['Build server', 'ci.acme.example/health', 10, EU, 156, 'team:it env:prod'],
    ['Artefact store', 'artefacts.acme.example/health', 15, EU, 138, 'team:it env:prod'],
    ['Help desk', 'help.acme.example/', 15, EU, 263, 'team:it env:prod'],
    ['Staging shop', 'staging.acme.example/', 15, EU, 334, 'team:web env:staging'],
    ['Old intranet', 'intranet.acme.example/', 15, EU, 511, 'team:it env:legacy'],
    ['Mail gateway', 'tcp://mail.acme.example:25', 10, EU, 21, 'team:it env:prod', 'TcpUdp'],
  ],
};

/** Service groups, which have one monitor of each type, with their monitors. */
export const SERVICE_GROUPS = {
  Shop: ['Shop front page', 'Certificate of the shop'],
  Checkout: ['Checkout', 'Certificate of checkout'],
  'Card payments': ['Card payments'],
  Search: ['Product search'],
  Images: ['Product images'],
  API: ['API gateway'],
  'Sign-in': ['API sign-in'],
  Orders: ['Orders API'],
  Catalogue: ['Catalogue API'],
  Webhooks: ['Webhooks'],
  'Help desk': ['Help desk'],
};

/** The monitors of Acme, 40 in all. */
export const MONITORS = Object.values(MONITORS_OF)
  .flat()
  .map(([name, address, minutes, regions, typicalMs, tags, types = 'HttpAvailability']) => ({
    name,
    address,
    group: Object.entries(SERVICE_GROUPS).find(([, names]) => names.includes(name))?.[0] ?? null,
    minutes,
    regions: ['northeurope'].concat(regions),
    typicalMs,
    tags: tags.split(' '),
    types: types.split(' '),
  }));

/** The settings by which the sites of Acme are where they are thought to be. */
export const publicPlace = ({ address }) => ({ url: address.startsWith('tcp:') ? address : `https://${address}` });

/** The same on this machine, where only the demo's agents know the names. */
export const localPlace =
  ({ port, securePort }) =>
  ({ address, types }) => {
    const [host] = address.replace('tcp://', '').split(/[:/]/);
    if (address.startsWith('tcp:')) return { url: `tcp://${host}:${port}` };
    if (types.includes('SslCertificate')) return { url: `https://${host}:${securePort}/` };
    return { url: `https://${address}`, http: { connectTo: `${host}:${securePort}` } };
  };

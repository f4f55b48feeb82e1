import { expect } from 'chai';
import { parseDatabaseUrl } from './parse-database-url.js';

describe('DATABASE_URL', () => {
  it('is taken as it is with one server', () => {
    for (const url of ['postgres://u:p%40ss@db.example/watchpost', 'postgresql://[::1]:6000/x?sslmode=verify-full'])
      expect(parseDatabaseUrl(url).hosts.map((host) => host.url)).to.deep.equal([url]);
    expect(parseDatabaseUrl('postgres://u@[::1]:6000/x')).to.deep.include({ needsPrimary: false });
    expect(parseDatabaseUrl('postgres://u@[::1]/x').hosts[0]).to.include({ hostname: '::1', port: 5432 });
    // on a socket
    expect(parseDatabaseUrl('postgres:///x?host=/run/postgresql').hosts[0]).to.include({ hostname: '' });
  });

  it('names several servers, of which one has to accept writes', () => {
    const { hosts, needsPrimary } = parseDatabaseUrl(
      'postgres://u:p@a.example:5433,b.example,[::1]:5434/watchpost?target_session_attrs=read-write&sslmode=verify-full',
    );
    expect(needsPrimary).to.equal(true);
    expect(hosts).to.deep.equal([
      {
        name: 'a.example:5433',
        hostname: 'a.example',
        port: 5433,
        url: 'postgres://u:p@a.example:5433/watchpost?sslmode=verify-full',
      },
      {
        name: 'b.example:5432',
        hostname: 'b.example',
        port: 5432,
        url: 'postgres://u:p@b.example/watchpost?sslmode=verify-full',
      },
      {
        name: '[::1]:5434',
        hostname: '::1',
        port: 5434,
        url: 'postgres://u:p@[::1]:5434/watchpost?sslmode=verify-full',
      },
    ]);
    expect(parseDatabaseUrl('postgres://a/x?target_session_attrs=primary')).to.deep.include({ needsPrimary: true });
    for (const rest of ['?a=1&target_session_attrs=primary', '?target_session_attrs=primary&a=1'])
      expect(parseDatabaseUrl(`postgres://a/x${rest}`).hosts[0]!.url).to.equal('postgres://a/x?a=1');
  });

  it('is refused without its password if it cannot be read', () => {
    for (const url of [
      'mysql://u:secret@a/x',
      'postgres://u:secret@a:port,b/x',
      'postgres://u:secret@a,,b/x',
      'postgres://u:secret@a/x?target_session_attrs=any',
      'postgres://u:secret@a/x?target_session_attrs=standby',
    ])
      expect(() => parseDatabaseUrl(url), url)
        .to.throw(Error)
        .with.property('message')
        .that.does.not.include('secret');
  });
});

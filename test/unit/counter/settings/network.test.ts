import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import { networkOf } from '../../../../main/support/settings/network-settings.ts';
import { authority, certified } from '../../../support/authority.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-network-'));
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

function mistakesOf(
  environment: Record<string, string>,
  settings?: Parameters<typeof networkOf>[1],
): readonly string[] {
  try {
    networkOf(environment, settings);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
}

describe('proxies', () => {
  it.each([
    [{}, null],
    [{ HTTPS_PROXY: '' }, null],
    [{ HTTPS_PROXY: 'http://proxy.shop.example:3128' }, 'http://proxy.shop.example:3128/'],
    [{ https_proxy: 'http://lower:1', HTTPS_PROXY: 'http://upper:1' }, 'http://lower:1/'],
    [{ HTTPS_PROXY: 'proxy.shop.example:3128' }, 'http://proxy.shop.example:3128/'],
    [{ HTTPS_PROXY: 'https://proxy.shop.example' }, 'https://proxy.shop.example/'],
    [{ ALL_PROXY: 'http://10.0.0.1:8080' }, 'http://10.0.0.1:8080/'],
    [{ HTTPS_PROXY: ' http://[fd00::1]:8080/ ' }, 'http://[fd00::1]:8080/'],
    [{ HTTPS_PROXY: 'http://till:p%40ss:w@proxy:3128' }, 'http://till:p%40ss%3Aw@proxy:3128/'],
    [
      { HTTPS_PROXY: 'http://DOMAIN%5Ctill:100%@proxy:3128' },
      'http://DOMAIN%5Ctill:100%25@proxy:3128/',
    ],
    [{ HTTP_PROXY: 'http://only-for-http:1' }, null],
  ])('takes %j from the environment', (environment, httpsProxy) => {
    expect(networkOf(environment as Record<string, string>)).toMatchObject({ httpsProxy });
  });

  it.each([
    ['socks5://till:geheim@proxy:1080', 'socks5://***@proxy:1080'],
    ['http://till:geheim@', 'http://***@'],
    ['http://till@proxy:3128', 'http://***@proxy:3128'],
    ['http://:geheim@proxy:3128', 'http://***@proxy:3128'],
    ['http://till:geheim@proxy:99999', 'http://***@proxy:99999'],
    ['http://till:geheim@proxy/path', 'http://***@proxy/path'],
  ])('refuses %s in one sentence, without its password', (value, shown) => {
    const [only = '', ...others] = mistakesOf({ HTTPS_PROXY: value });
    expect(others).toEqual([]);
    expect(only).toMatch(/^HTTPS_PROXY: must /);
    expect(only).toContain(`got "${shown}"`);
    expect(only).not.toContain('geheim');
  });

  it('takes the setting before the environment, with its user and password', () => {
    const settings = {
      systemCertificates: false,
      proxy: { url: 'http://proxy.shop.example:3128', user: 'till', password: 'p@ss/:%' },
    };
    expect(networkOf({ HTTPS_PROXY: 'http://other:1', NO_PROXY: 'a,b c' }, settings)).toMatchObject(
      {
        httpsProxy: 'http://till:p%40ss%2F%3A%25@proxy.shop.example:3128/',
        httpProxy: 'http://till:p%40ss%2F%3A%25@proxy.shop.example:3128/',
        noProxy: ['a', 'b', 'c'],
      },
    );
  });
});

describe('the settings of a counter', () => {
  const lane = {
    id: '1',
    name: 'Check-out 1',
    currency: 'DKK',
    pointOfSale: {
      merchantPosId: 'one',
      name: 'Check-out 1',
      storeId: '51050000-0000-4000-8000-000000000001',
    },
    till: { protocol: 'zvt', transport: 'tcp' },
  };
  const read = (network: object, environment: Record<string, string> = {}): unknown => {
    try {
      return parseSettings(
        { wallet: { simulator: true }, lanes: [lane], network },
        environment,
        folder,
      ).network;
    } catch (error) {
      return (error as SettingsError).mistakes;
    }
  };
  const url = 'http://proxy.shop.example:3128';

  it('have the password looked up, and the whole path of the certificates', () => {
    file('shop.pem', authority);
    expect(
      read(
        { proxy: { url, user: 'till', password: { env: 'PASSWORD' } }, certificates: 'shop.pem' },
        { PASSWORD: 'geheim' },
      ),
    ).toEqual({
      proxy: { url, user: 'till', password: 'geheim' },
      certificates: join(folder, 'shop.pem'),
      systemCertificates: false,
    });
  });

  it.each([
    [
      { proxy: { url: 'http://till:geheim@proxy:3128' } },
      /^network\.proxy\.url: must be an address .* got "http:\/\/\*\*\*@proxy:3128"$/,
    ],
    [
      { proxy: { url: 'socks5://proxy:1080' } },
      /^network\.proxy\.url: must be an address such as http:/,
    ],
    [
      { proxy: { url, user: 'till' } },
      /^network\.proxy: must have both user and password, or neither/,
    ],
    [
      { proxy: { url, password: 'geheim' } },
      /^network\.proxy: must have both user and password, or neither/,
    ],
    [
      { proxy: { url, user: 'till', password: { env: 'PASSWORD' } } },
      /^network\.proxy\.password\.env: must name an environment variable that is set/,
    ],
    [{ noProxy: ['a, b'] }, /^network\.noProxy\.0: must be a host/],
    [
      { certificates: 'missing.pem' },
      /^network\.certificates: must name a file that can be read \(ENOENT\), got ".*missing\.pem"$/,
    ],
  ])('refuse %j in one sentence', (network, says) => {
    const mistakes = read(network) as string[];
    expect(mistakes).toEqual([expect.stringMatching(says)]);
    expect(mistakes[0]).not.toContain('geheim');
  });
});

describe('certificate authorities', () => {
  it('reads every certificate of the files, also between other content', () => {
    const bundle = file(
      'bundle.pem',
      `\uFEFF# the shop's own\r\n${authority.replaceAll('\n', '\r\n')}\n${certified.cert}${certified.key}`,
    );
    const { certificates } = networkOf({ NODE_EXTRA_CA_CERTS: bundle });
    expect(certificates).toHaveLength(2);
    expect(certificates.join('')).not.toContain('PRIVATE');
  });

  it('trusts those of the environment and those of the settings', () => {
    const settings = { systemCertificates: false, certificates: file('one.pem', authority) };
    expect(
      networkOf({ NODE_EXTRA_CA_CERTS: file('other.pem', certified.cert) }, settings).certificates,
    ).toHaveLength(2);
  });

  it.each([
    ['no file', join(folder, 'missing.pem'), 'must name a file that can be read (ENOENT)'],
    ['a folder', folder, 'must name a regular file'],
    ['an empty file', file('empty.pem', ''), 'must name a PEM file with certificates'],
    [
      'DER',
      file('der.cer', Buffer.from(authority.split('\n').slice(1, -2).join(''), 'base64')),
      'must name a PEM file with certificates',
    ],
    ['a key alone', file('key.pem', certified.key), 'must name a PEM file with certificates'],
    [
      'a broken certificate',
      file('broken.pem', authority.replace(/MII.{20}/, 'AAAA')),
      'of which number 1 cannot be read',
    ],
  ])('says in one sentence that it is %s', (_what, path, says) => {
    for (const [name, mistakes] of [
      ['NODE_EXTRA_CA_CERTS', mistakesOf({ NODE_EXTRA_CA_CERTS: path })],
      ['network.certificates', mistakesOf({}, { systemCertificates: false, certificates: path })],
    ] as const) {
      expect(mistakes).toHaveLength(1);
      expect(mistakes[0]).toContain(`${name}: must name`);
      expect(mistakes[0]).toContain(says);
      expect(mistakes[0]).toContain(JSON.stringify(path));
    }
  });
});

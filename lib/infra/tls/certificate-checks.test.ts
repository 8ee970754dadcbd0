import { rm, writeFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { readOperatorSettings } from '../env';
import { findNodeTlsProblem, findPublicTlsProblem, findPublicTlsWarnings } from './certificate-checks';
import { createNodeCertificates, type NodeCertificates } from '../testing/node-certificates';

const nodeFiles: NodeCertificates[] = [];
afterAll(() => Promise.all(nodeFiles.map((files) => files.remove())));
const now = new Date('2026-06-01T00:00:00Z');

async function problemOf(
  issued: Parameters<typeof createNodeCertificates>,
  {
    host = '127.0.0.1',
    changeFiles,
  }: { host?: string; changeFiles?: (files: NodeCertificates) => Promise<void> } = {},
) {
  const certificates = await createNodeCertificates(...issued);
  nodeFiles.push(certificates);
  await changeFiles?.(certificates);
  return findNodeTlsProblem({ internalTls: certificates.files, internalUrl: `https://${host}` }, now);
}

test('matching files, and a node without TLS, have no problem', async () => {
  expect(await problemOf(['node'])).toBeNull();
  expect(await problemOf(['otherHost'], { host: '10.0.0.2' })).toBeNull();
  expect(findNodeTlsProblem({ internalTls: undefined, internalUrl: 'http://127.0.0.1' }, now)).toBeNull();
});

test('a problem is one message that starts with the setting', async () => {
  expect(await problemOf(['node'], { host: '10.0.0.1' })).toMatch(/^INTERNAL_TLS_CERT: .* for 10\.0\.0\.1/);
  expect(await problemOf(['node'], { host: '[fd00::1]' })).toMatch(/^INTERNAL_TLS_CERT: .* for fd00::1/);
  expect(await problemOf(['expired'])).toMatch(/^INTERNAL_TLS_CERT: the certificate expired on /);
  expect(await problemOf(['node', 'other'])).toMatch(/^INTERNAL_TLS_CA: did not sign/);
  expect(await problemOf(['node'], { changeFiles: (files) => files.breakKey() })).toMatch(
    /^INTERNAL_TLS_KEY: .*/,
  );
  expect(await problemOf(['node'], { changeFiles: ({ files }) => rm(files.key) })).toMatch(
    /^INTERNAL_TLS_KEY: .* cannot be used: ENOENT/,
  );
  expect(await problemOf(['node'], { changeFiles: ({ files }) => writeFile(files.ca, 'x') })).toMatch(
    /^INTERNAL_TLS_CA: .* cannot be used: it contains no certificate/,
  );
});

test('the settings require all three files or none, and make the URL of this node https', () => {
  expect(() => readOperatorSettings({ INTERNAL_TLS_CERT: 'c', INTERNAL_TLS_CA: 'a' })).toThrow(
    /^INTERNAL_TLS_KEY: expected/,
  );
  const tls = { INTERNAL_TLS_CERT: 'c', INTERNAL_TLS_KEY: '/k', INTERNAL_TLS_CA: 'a' };
  const settings = readOperatorSettings({ ...tls, INTERNAL_HOST: '10.0.0.1' });
  expect(settings).toMatchObject({ internalUrl: 'https://10.0.0.1', internalTls: { key: '/k' } });
  const settingsWith = (url: string, files = {}) =>
    readOperatorSettings({ ...files, INTERNAL_URL: url }).internalUrl;
  expect(settingsWith('https://node1.internal', tls)).toBe('https://node1.internal');
  expect(() => settingsWith('http://node1.internal', tls)).toThrow(
    /^INTERNAL_URL: expected an https:\/\/ URL/,
  );
  expect(() => settingsWith('https://node1.internal')).toThrow(/^INTERNAL_URL: expected an http:\/\/ URL/);
});

test('an unusable public certificate is a problem, one that clients reject is a warning', async () => {
  const filesOf = async (...issued: Parameters<typeof createNodeCertificates>) => {
    const certificates = await createNodeCertificates(...issued);
    nodeFiles.push(certificates);
    return certificates;
  };
  const certificateFiles = await filesOf('node');
  const settingsOf = ({ files: { cert, key } }: NodeCertificates, more = {}) =>
    readOperatorSettings({ TLS_CERT: cert, TLS_KEY: key, BASE_URL: 'https://127.0.0.1:3000', ...more });
  const settings = settingsOf(certificateFiles);
  expect(findPublicTlsProblem(settings)).toBeNull();
  expect(findPublicTlsWarnings(settings, now)).toEqual([]);
  expect(findPublicTlsProblem(readOperatorSettings({}))).toBeNull();
  expect(findPublicTlsWarnings(readOperatorSettings({}), now)).toEqual([]);

  const variables = { CDN_URL: 'https://cdn.example.com', RTMPS_URL: 'rtmps://cdn.example.com/live' };
  expect(findPublicTlsWarnings(settingsOf(certificateFiles, variables), now)).toEqual([
    expect.stringContaining('not for cdn.example.com'),
  ]);
  const edge = { UPSTREAM_ORIGIN: 'https://media.example.com' };
  expect(findPublicTlsWarnings(settingsOf(certificateFiles, edge), now)).toEqual([]);
  expect(findPublicTlsWarnings(settingsOf(await filesOf('expired')), now)).toEqual([
    expect.stringContaining('expired on'),
  ]);

  await certificateFiles.breakKey();
  expect(findPublicTlsProblem(settings)).toMatch(/^TLS_KEY: .* is not the key of the certificate/);
  await rm(certificateFiles.files.key);
  expect(findPublicTlsProblem(settings)).toMatch(/^TLS_KEY: .* cannot be used: ENOENT/);
  await rm(certificateFiles.files.cert);
  expect(findPublicTlsProblem(settings)).toMatch(/^TLS_CERT: .* cannot be used: ENOENT/);
});

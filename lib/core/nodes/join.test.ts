import { expect, test } from 'vitest';
import { joinRefusal, type Joining } from './join';

const installation = { secretFingerprint: 'a', storage: 'https://s3.example.com/media' };
const beside: Joining = {
  known: installation,
  own: installation,
  storesLocally: false,
  othersRun: true,
  newerMigration: null,
  usesTls: false,
  othersDifferInTls: false,
};
const local = { secretFingerprint: 'a', storage: 'local:1' };

test.each<[string, Partial<Joining>, string | RegExp | null]>([
  ['like the others', {}, null],
  ['the first start', { known: null, othersRun: false }, null],
  [
    'another secret, alone',
    { own: { ...installation, secretFingerprint: 'b' }, othersRun: false },
    /^APP_SECRET: /,
  ],
  ['another secret', { own: { ...installation, secretFingerprint: 'b' } }, /^APP_SECRET: /],
  ['files on its own disk', { own: local, storesLocally: true }, /^S3_BUCKET: expected/],
  [
    'both on their own disks',
    { known: local, own: { ...local, storage: 'local:2' }, storesLocally: true },
    /^S3_BUCKET: expected/,
  ],
  [
    'another bucket',
    { own: { ...installation, storage: 'https://s3.example.com/other' } },
    /\/media, .*\/other\.$/,
  ],
  ['files moved to a bucket, alone', { known: local, othersRun: false }, null],
  ['a bucket beside a node without', { known: local }, /keep their files in local:1/],
  ['an older version beside newer ones', { newerMigration: '2027_new' }, /2027_new of a newer version/],
  ['an older version, alone', { newerMigration: '2027_new', othersRun: false }, null],
  ['no TLS beside nodes with it', { othersDifferInTls: true }, /^INTERNAL_TLS_CERT: expected with/],
  ['TLS beside a node without', { usesTls: true, othersDifferInTls: true }, /stop that node first\.$/],
])('%s', (_, changed, refusal) => {
  const found = joinRefusal({ ...beside, ...changed });
  if (refusal === null) expect(found).toBeNull();
  else expect(found).toMatch(refusal);
});

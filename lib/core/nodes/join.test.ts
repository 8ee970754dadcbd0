import { expect, test } from 'vitest';
import { joinRejection, type JoinFacts } from './join';

const installation = { secretFingerprint: 'a', storage: 'https://s3.example.com/media' };
/** A node that joins an installation in which another node runs. */
const besideOtherNode: JoinFacts = {
  installation,
  joiner: installation,
  storesLocally: false,
  othersRun: true,
  newerMigration: null,
  usesTls: false,
  othersDifferInTls: false,
};
const localInstallation = { secretFingerprint: 'a', storage: 'local:1' };

test.each<[string, Partial<JoinFacts>, string | RegExp | null]>([
  ['the settings of the other nodes', {}, null],
  ['the first start of an installation', { installation: null, othersRun: false }, null],
  [
    'another secret, single node',
    { joiner: { ...installation, secretFingerprint: 'b' }, othersRun: false },
    /^APP_SECRET: /,
  ],
  ['another secret', { joiner: { ...installation, secretFingerprint: 'b' } }, /^APP_SECRET: /],
  ['files on its own disk', { joiner: localInstallation, storesLocally: true }, /^S3_BUCKET: expected/],
  [
    'the files of both nodes on their own disks',
    {
      installation: localInstallation,
      joiner: { ...localInstallation, storage: 'local:2' },
      storesLocally: true,
    },
    /^S3_BUCKET: expected/,
  ],
  [
    'another bucket',
    { joiner: { ...installation, storage: 'https://s3.example.com/other' } },
    /\/media, .*\/other\.$/,
  ],
  ['files moved to a bucket, single node', { installation: localInstallation, othersRun: false }, null],
  ['a bucket beside a node without one', { installation: localInstallation }, /keep their files in local:1/],
  ['an older version beside newer ones', { newerMigration: '2027_new' }, /2027_new of a newer version/],
  ['an older version, single node', { newerMigration: '2027_new', othersRun: false }, null],
  ['no TLS beside nodes with it', { othersDifferInTls: true }, /^INTERNAL_TLS_CERT: expected with/],
  ['TLS beside a node without it', { usesTls: true, othersDifferInTls: true }, /stop that node first\.$/],
])('the rejection of a node with %s is $2', (_, change, rejection) => {
  const result = joinRejection({ ...besideOtherNode, ...change });
  if (rejection === null) expect(result).toBeNull();
  else expect(result).toMatch(rejection);
});

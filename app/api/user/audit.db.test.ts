import { TOTP } from 'otpauth';
import { afterAll, describe, expect, test } from 'vitest';
import {
  changeEmail,
  confirmTotp,
  createResetLink,
  inviteToTeam,
  createPasskeyOptions,
  startTotp,
} from '@/lib/domain/accounts';
import type { AccountContext } from '@/lib/domain/context';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hashAllRows } from '@/app/api/testing/all-rows';
import { bodyFor, callerOf, preparePerson } from '@/app/api/testing/callers';
import { startLiveNode } from '@/app/api/testing/live-node';
import { makeExampleAsset, fillPathWithNewObjects } from '@/app/api/testing/owned-objects';
import { SoftwareAuthenticator } from '@/app/api/testing/software-authenticator';
import { endpoints, openTestApi, type Person } from '@/app/api/testing/test-api';

/**
 * Tests generated from the registry: each change is logged with actor, object and IP address, in the same
 * transaction.
 */
const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const owner = await api.createPerson('owner');
Object.assign(api.services.settings, { operatorEmails: [owner.email] });
const system = { ...api.services, actor: { kind: 'system' } } as const;
await makeExampleAsset(api, owner);
const node = await startLiveNode(api);
afterAll(() => node.close());

const requestHeaders = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'audit-test/1' };
const actors = { public: /^anonymous$/, session: /^session$/, 'key-or-session': /^key:/ };
/**
 * Endpoints without an audit entry. Creating an upload URL changes nothing: the upload itself is logged
 * (media-worker/delivery/uploads/upload-logo.full.db.test.ts). A link is requested after the response
 * (account-links.db.test.ts). The setup of a factor changes nothing before it is confirmed. Tokens for viewers are
 * computed, not stored.
 */
const endpointsWithoutEntry = [
  ...['requestLogoUpload', 'requestSlatePictureUpload'],
  ...['requestStreamPosterUpload', 'requestAssetPosterUpload'],
  ...['requestPasswordReset', 'startTotp', 'passkeyOptions'],
  ...['createPlaybackToken', 'enterPlaybackPassword', 'createPlaybackReport'],
  // Which mails the caller gets is no change of the team.
  'updateTeamMails',
];
const changingEndpoints = endpoints.filter(
  ({ method, id }) => method !== 'GET' && !endpointsWithoutEntry.includes(id),
);

const newEmail = () => `new-${crypto.randomUUID()}@example.com`;

/** Creates the fields of the body that the example cannot have: tokens of links, codes and signatures of authenticators. */
async function createSecrets({ id }: Endpoint, { email, password, ctx }: Person): Promise<object> {
  if (id === 'changeEmail') return { email: newEmail() };
  if (id === 'joinTeam') return { invitation: await createInvitationToken(email) };
  if (id === 'resetPassword') return { token: (await createResetLink(system, email)).split('#')[1] };
  if (id in factorSecrets) {
    const secrets = await factorSecrets[id]?.(ctx, { password });
    // The browser that sent the change would have received a new cookie.
    await db.account.update({ where: { id: ctx.actor.userId }, data: { sessionVersion: 0 } });
    return secrets ?? {};
  }
  if (id !== 'confirmEmail') return {};
  let text = '';
  const mailer = { ...noMailer, send: (mail: { text: string }) => Promise.resolve(void (text = mail.text)) };
  await changeEmail(ctx, { email: newEmail(), password }, mailer);
  return { token: /#([\w-]+)/.exec(text)?.[1] };
}

/**
 * Creates an invitation to a team of another person.
 * @returns its token
 */
async function createInvitationToken(email: string): Promise<string | undefined> {
  const { ctx, teamId } = await api.createPerson('inviting');
  const { url } = await inviteToTeam(ctx, { teamId, email, role: 'viewer' }, null);
  return url.split('=')[1];
}

/** Functions that create the fields of the body that only the owner of an authenticator knows, by endpoint. */
const factorSecrets: Readonly<
  Record<string, (ctx: AccountContext, owner: { readonly password: string }) => Promise<object>>
> = {
  async confirmTotp(ctx, owner) {
    const { secret, setupToken } = await startTotp(ctx, owner);
    return { setupToken, code: new TOTP({ secret }).generate() };
  },
  async removeTotp(ctx, owner) {
    const { secret, setupToken } = await startTotp(ctx, owner);
    const totp = new TOTP({ secret });
    const { recoveryCodes } = await confirmTotp(ctx, { setupToken, code: totp.generate() });
    return { code: recoveryCodes?.[0] };
  },
  async newRecoveryCodes(ctx, owner) {
    const { secret, setupToken } = await startTotp(ctx, owner);
    await confirmTotp(ctx, { setupToken, code: new TOTP({ secret }).generate() });
    return {};
  },
  async addPasskey(ctx, owner) {
    const { challenge } = await createPasskeyOptions(ctx, owner);
    return { response: new SoftwareAuthenticator().register({ challenge }) };
  },
};

const noMailer = { sendLater: () => false, waitUntilIdle: () => Promise.resolve() };

async function prepareCall(endpoint: Endpoint) {
  const person = await preparePerson(api, endpoint, owner);
  const path = await fillPathWithNewObjects(api, person, endpoint.path);
  if (endpoint.id === 'deleteLogo')
    await db.team.update({ where: { id: person.userId }, data: { brandLogo: 'logo.png' } });
  if (endpoint.id === 'deleteSlatePicture')
    await db.stream.updateMany({
      where: { teamId: person.teamId },
      data: { slatePictureKey: 'slate/picture.png' },
    });
  const withPoster = { where: { teamId: person.teamId }, data: { posterKey: 'poster/picture.jpg' } };
  if (endpoint.id === 'deleteStreamPoster') await db.stream.updateMany(withPoster);
  if (endpoint.id === 'deleteAssetPoster') await db.asset.updateMany(withPoster);
  const secrets = await createSecrets(endpoint, person);
  const body = endpoint.body ? { body: { ...bodyFor(endpoint, person), ...secrets } } : {};
  return { path, person, options: { ...callerOf(endpoint, person), ...body, headers: requestHeaders } };
}

/** Runs `run` while all inserts into the audit log fail. */
async function withFailingAudit<T>(run: () => Promise<T>): Promise<T> {
  await db.$executeRaw`
    create or replace function reject_audit() returns trigger language plpgsql
    as $$ begin raise exception 'no audit' using errcode = '57014'; end $$`;
  await db.$executeRaw`
    create trigger reject_audit before insert on "AuditEntry" for each row execute function reject_audit()`;
  try {
    return await run();
  } finally {
    await db.$executeRaw`drop trigger reject_audit on "AuditEntry"`;
  }
}

/** The number of entries. Adding a target with a spec changes two objects, and each has an entry. */
const entryCountOf = (endpoint: Endpoint) => (endpoint.id === 'addStreamMultistreamTarget' ? 2 : 1);

describe.each(changingEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('writes one entry for each changed object, with actor, object and IP address', async () => {
    const { path, options, person } = await prepareCall(endpoint);
    const knownIds = (await db.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id);
    expect((await api.request(endpoint.method, path, options)).status).toBe(endpoint.status);
    // The account of the person sees the operator's action as well, without the IP address.
    const lines = await db.auditEntry.findMany({ where: { id: { notIn: knownIds }, actor: { not: 'cli' } } });
    expect(new Set(lines.map(({ objectId }) => objectId)).size).toBe(entryCountOf(endpoint));
    expect(lines).toHaveLength(entryCountOf(endpoint));
    for (const line of lines) {
      expect(line).toMatchObject({ ip: '203.0.113.7', userAgent: 'audit-test/1' });
      expect(line.objectId).toMatch(/^[0-9a-f-]{36}$/);
      expect(line.actor).toMatch(actors[endpoint.auth]);
      // A change of a team is in the log of that team.
      if (endpoint.auth !== 'public' && endpoint.tag !== 'Teams') expect(line.teamId).toBe(person.teamId);
      if (endpoint.auth === 'session') expect(line.userId).toBe(person.userId);
    }
  });

  test('changes nothing if the entry cannot be written', async () => {
    const { path, options } = await prepareCall(endpoint);
    const before = await hashAllRows(api);
    await withFailingAudit(async () => {
      expect((await api.request(endpoint.method, path, options)).status).toBe(503);
    });
    expect(await hashAllRows(api)).toBe(before);
  });
});

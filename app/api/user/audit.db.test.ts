import { afterAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { hashOfAllRows } from '@/app/api/testing/all-rows';
import { bodyFor, callerOf, personFor } from '@/app/api/testing/callers';
import { startLiveNode } from '@/app/api/testing/live-node';
import { makeExampleObjects, pathOfNewObject } from '@/app/api/testing/owned-objects';
import { endpoints, openTestApi } from '@/app/api/testing/test-api';

/** Generated from the registry: who did what to which object from where, in the transaction of the change. */
const api = openTestApi(await testDatabase());
const { db } = api.services;
const owner = await api.person('owner');
await makeExampleObjects(api, owner);
const node = await startLiveNode(api);
afterAll(() => node.close());

const from = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'audit-test/1' };
const actors = { public: /^anonymous$/, session: /^session$/, 'key-or-session': /^key:/ };
/** A URL alone changes nothing: what is uploaded to it has a line of its own (media-worker/uploads/upload-logo.db.test.ts). */
const changing = endpoints.filter(({ method, id }) => method !== 'GET' && id !== 'requestLogoUpload');

async function prepare(endpoint: Endpoint) {
  const path = await pathOfNewObject(api, owner, endpoint.path);
  const person = await personFor(api, endpoint, owner);
  if (endpoint.id === 'deleteLogo')
    await db.account.update({ where: { id: person.userId }, data: { brandLogo: 'logo.png' } });
  const body = endpoint.body ? { body: bodyFor(endpoint, person) } : {};
  return { path, person, options: { ...callerOf(endpoint, person), ...body, headers: from } };
}

/** While it runs, no line of the audit log can be written: like a database that fails at just that moment. */
async function withoutAudit<T>(run: () => Promise<T>): Promise<T> {
  await db.$executeRaw`
    create or replace function refuse_audit() returns trigger language plpgsql
    as $$ begin raise exception 'no audit' using errcode = '57014'; end $$`;
  await db.$executeRaw`
    create trigger refuse_audit before insert on "AuditEntry" for each row execute function refuse_audit()`;
  try {
    return await run();
  } finally {
    await db.$executeRaw`drop trigger refuse_audit on "AuditEntry"`;
  }
}

/** A stream that gets a target of its own by the way changes two objects: one line for each. */
const changedBy = (endpoint: Endpoint) => (endpoint.id === 'addStreamMultistreamTarget' ? 2 : 1);

describe.each(changing.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('writes one line for what changed: who, what, from where', async () => {
    const { path, options, person } = await prepare(endpoint);
    const known = (await db.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id);
    expect((await api.request(endpoint.method, path, options)).status).toBe(endpoint.status);
    const lines = await db.auditEntry.findMany({ where: { id: { notIn: known } } });
    expect(new Set(lines.map(({ objectId }) => objectId)).size).toBe(changedBy(endpoint));
    expect(lines).toHaveLength(changedBy(endpoint));
    for (const line of lines) {
      expect(line).toMatchObject({ ip: '203.0.113.7', userAgent: 'audit-test/1' });
      expect(line.objectId).toMatch(/^[0-9a-f-]{36}$/);
      expect(line.actor).toMatch(actors[endpoint.auth]);
      if (endpoint.auth !== 'public') expect(line.userId).toBe(person.userId);
    }
  });

  test('changes nothing when the line cannot be written', async () => {
    const { path, options } = await prepare(endpoint);
    const before = await hashOfAllRows(api);
    await withoutAudit(async () => {
      expect((await api.request(endpoint.method, path, options)).status).toBe(503);
    });
    expect(await hashOfAllRows(api)).toBe(before);
  });
});

import { describe, expect, test } from 'vitest';
import { findBrand } from '@/lib/domain/brand';
import type { Brand } from '@/lib/contract/accounts/brand';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const viewerContext = { actor: { kind: 'anonymous' }, db, clock, log, secrets, settings } as const;
const ada = await api.createPerson('ada');
const bob = await api.createPerson('bob');

const readBrand = async ({ key }: Person) =>
  (await (await api.request('GET', '/api/user/brand', { key })).json()) as Brand;
const changeBrand = ({ key }: Person, body: object) => api.request('PATCH', '/api/user/brand', { key, body });
const readActions = async ({ teamId }: Person) =>
  (await db.auditEntry.findMany({ where: { teamId, action: { startsWith: 'brand.' } } })).map(
    ({ action }) => action,
  );

const emptyBrand = {
  name: null,
  accent: null,
  link: null,
  logoUrl: null,
  casting: false,
  viewerReports: true,
};

describe('the brand of a team', () => {
  test('is empty at first, changes by field, and belongs to one team', async () => {
    expect(await readBrand(ada)).toEqual(emptyBrand);
    expect((await changeBrand(ada, { name: 'River TV' })).status).toBe(200);
    // A brand can be sent back as it was read.
    const changed = {
      ...emptyBrand,
      name: 'River TV',
      accent: '#0A6E78',
      link: 'https://river.example.com/',
    };
    expect(await (await changeBrand(ada, changed)).json()).toEqual({ ...changed, accent: '#0a6e78' });
    await changeBrand(ada, { casting: true, viewerReports: false });
    expect(await readBrand(ada)).toEqual({
      ...changed,
      accent: '#0a6e78',
      casting: true,
      viewerReports: false,
    });
    expect(await readBrand(bob)).toEqual(emptyBrand);
    expect(await readActions(ada)).toEqual(['brand.updated', 'brand.updated', 'brand.updated']);
    expect(await readActions(bob)).toEqual([]);
    await changeBrand(ada, emptyBrand);
    expect(await readBrand(ada)).toEqual(emptyBrand);
  });

  test.each([
    [{ accent: 'red' }, /^accent: must be a color such as #0a6e78/],
    [{ accent: '#0a6e78;background:url(//evil.example)' }, /^accent: /],
    [{ link: 'javascript:alert(1)' }, /^link: must be an http/],
    [{ link: 'https://ada:secret@river.example.com' }, /^link: /],
    [{ name: '' }, /^name: /],
    [{ name: 'x'.repeat(61) }, /^name: /],
    [{ casting: 'yes' }, /^casting: /],
    [{ logo: 'https://evil.example/x.png' }, /^logo: /],
  ])('rejects %j', async (body, message) => {
    const response = await changeBrand(bob, body);
    expect(response.status).toBe(422);
    expect(((await response.json()) as { errors: string[] }).errors[0]).toMatch(message);
    expect(await readBrand(bob)).toEqual(emptyBrand);
  });

  test('is shown by players, unless the stream is deleted or its team is suspended', async () => {
    const owner = await api.createPerson('owner');
    await changeBrand(owner, { name: 'Lake TV', casting: true });
    const response = await api.request('POST', '/api/stream', { key: owner.key, body: { name: 'x' } });
    const { id, playbackId } = (await response.json()) as { id: string; playbackId: string };
    const session = { teamId: owner.teamId, parentId: id, name: 'x', playbackId, state: 'ended' } as const;
    const { id: sessionId } = await db.session.create({ data: session });
    const brand = { ...emptyBrand, name: 'Lake TV', casting: true };
    expect(await findBrand(viewerContext, playbackId)).toEqual(brand);
    expect(await findBrand(viewerContext, sessionId)).toEqual(brand);
    for (const unknownId of ['abcdabcdabcdabcd', crypto.randomUUID(), 'x', id])
      expect(await findBrand(viewerContext, unknownId)).toBeNull();
    await db.stream.update({ where: { id }, data: { deletedAt: new Date() } });
    for (const deletedId of [playbackId, sessionId])
      expect(await findBrand(viewerContext, deletedId)).toBeNull();
    await db.stream.update({ where: { id }, data: { deletedAt: null } });
    await db.team.update({ where: { id: owner.teamId }, data: { suspended: true } });
    expect(await findBrand(viewerContext, playbackId)).toBeNull();
  });

  test('writes no audit entry when a logo is deleted that does not exist', async () => {
    const { key } = bob;
    expect((await api.request('DELETE', '/api/user/brand/logo', { key })).status).toBe(204);
    expect(await readActions(bob)).toEqual([]);
  });
});

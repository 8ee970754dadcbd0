import { enterPlaybackPassword } from '@/lib/contract/access/playback-token';
import { assetId, readyAsset } from '@/lib/contract/assets/asset-examples';
import { createViewerClip } from '@/lib/contract/assets/clip';
import { registry } from '@/lib/contract/registry';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TaskPhase } from '@/lib/core/tasks/task-state';
import type { Person, TestApi } from './test-api';

type Params = Readonly<Record<string, string>>;
type ObjectFactory = (api: TestApi, owner: Person) => Promise<Params>;

const pullStream = { name: 'x', pull: { source: 'rtsp://a.example/x' } };
/** Factories for the objects that the placeholders of a path name. The first matching prefix applies. */
const factories: readonly (readonly [prefix: string, make: ObjectFactory])[] = [
  ['/api/stream/{id}/multistream/', makeStreamWithTarget],
  ['/api/stream/{id}/switch', makeLiveStream],
  ['/api/stream/{id}/start-pull', createByPost('/api/stream', pullStream)],
  ['/api/stream/', createByPost('/api/stream')],
  ['/api/session/', makeSession],
  ['/api/multistream/target/', createByPost('/api/multistream/target')],
  ['/api/dashboard/assets/', async (api, owner) => ({ id: await makeReadyAsset(api, owner) })],
  ['/api/dashboard/streams/', createByPost('/api/stream')],
  ['/api/dashboard/api-keys/', async (_, owner) => ({ id: (await owner.newKey({ scopes: ['read'] })).id })],
  ['/api/webhook/{id}/log/{logId}', makeWebhookLog],
  ['/api/webhook/', createByPost('/api/webhook')],
  ['/api/asset/{id}/restore', makeDeletedAsset],
  ['/api/asset/{id}/tracks/', makeAssetWithTrack],
  ['/api/asset/', async (api, owner) => ({ id: await makeReadyAsset(api, owner) })],
  ['/api/task/{id}/cancel', (api, owner) => makeTask(api, owner, 'waiting')],
  ['/api/task/{id}/retry', makeFailedImport],
  ['/api/task/', makeTask],
  ['/api/playback/{id}/password', makePlaybackWithPassword],
  ['/api/playback/{id}/clip', makeClippablePlayback],
  ['/api/playback/', makePlayback],
  // Views of public content can be read by anyone.
  ['/api/data/views/', makePlaybackWithPassword],
  ['/api/access-control/signing-key/', makeSigningKey],
  ['/api/admin/accounts/', async (api) => ({ id: (await api.createPerson('managed')).teamId })],
  ['/api/admin/teams/', async (api) => ({ id: (await api.createPerson('managed')).teamId })],
  ['/api/admin/invitations/', makeInvitation],
  ['/api/admin/nodes/', makeLiveNode],
  ['/api/dashboard/teams/{id}/members/', makeTeamWithMember],
  ['/api/dashboard/teams/{id}/invitations/', makeTeamInvitation],
  ['/api/dashboard/teams/', makeTeam],
  ['/api/dashboard/webhooks/', createByPost('/api/webhook')],
  ['/api/dashboard/account/passkeys/', makePasskey],
  ['/api/dashboard/account/sessions/', makeBrowserSession],
];

/**
 * Creates the objects that the placeholders of a path name, for tests generated from the registry.
 * @returns the path with their ids
 */
export async function fillPathWithNewObjects(api: TestApi, owner: Person, path: string): Promise<string> {
  if (!path.includes('{')) return path;
  const createObject = factories.find(([prefix]) => path.startsWith(prefix))?.[1];
  if (!createObject)
    throw new Error(`app/api/testing/owned-objects.ts has no factory for the objects in ${path}`);
  const params = await createObject(api, owner);
  return fillPath(path, (name) => params[name] ?? '');
}

export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
}

/** A factory that creates an object by POST, by default with the example body of the endpoint. */
function createByPost(path: string, body?: object): ObjectFactory {
  return async (api, { key }) => {
    const endpoint = registry.find((candidate) => candidate.method === 'POST' && candidate.path === path);
    const response = await api.request('POST', path, { key, body: body ?? endpoint?.example.body });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}`);
    return { id: ((await response.json()) as { id: string }).id };
  };
}

async function makeLiveStream(api: TestApi, owner: Person): Promise<Params> {
  const params = await createByPost('/api/stream')(api, owner);
  const encoder = { connectedAt: 1, bitrate: 4e6, width: 1280, height: 720, fps: 30, silentMs: 0 };
  const program = { input: 'primary', since: 1, byHand: false, primary: encoder, standby: encoder };
  await api.services.db.stream.update({
    where: { id: params['id'] ?? '' },
    data: { isActive: true, program },
  });
  return params;
}

async function makeInvitation({ services: { db, clock } }: TestApi): Promise<Params> {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + 86_400_000);
  return { id: (await db.invitation.create({ data: { id: crypto.randomUUID(), createdAt, expiresAt } })).id };
}

async function makeTeam({ services: { db } }: TestApi, { userId }: Person): Promise<{ id: string }> {
  const id = crypto.randomUUID();
  // A person can be in 20 teams: the teams of earlier calls are deleted.
  await db.team.deleteMany({ where: { name: 'made', members: { some: { userId } } } });
  await db.team.create({ data: { id, name: 'made', members: { create: { userId, role: 'owner' } } } });
  return { id };
}

async function makeTeamWithMember(api: TestApi, owner: Person): Promise<Params> {
  const { id } = await makeTeam(api, owner);
  const { userId } = await api.createPerson('member');
  await api.services.db.teamMember.create({ data: { teamId: id, userId, role: 'viewer' } });
  return { id, userId };
}

async function makeTeamInvitation(api: TestApi, owner: Person): Promise<Params> {
  const { id } = await makeTeam(api, owner);
  const invitation = await makeInvitation(api);
  await api.services.db.invitation.update({
    where: { id: invitation['id'] ?? '' },
    data: { teamId: id, email: 'invited@example.com', role: 'viewer' },
  });
  return { id, invitationId: invitation['id'] ?? '' };
}

async function makePasskey({ services: { db, clock } }: TestApi, { userId }: Person): Promise<Params> {
  const id = crypto.randomUUID();
  const passkey = { id, userId, name: 'Laptop', credentialId: id, publicKey: Buffer.alloc(1), counter: 0 };
  return { id: (await db.passkey.create({ data: { ...passkey, createdAt: clock.now() } })).id };
}

async function makeBrowserSession({ services: { db, clock } }: TestApi, { userId }: Person): Promise<Params> {
  const [id, now] = [crypto.randomUUID(), clock.now()];
  const endsAt = new Date(now.getTime() + 86_400_000);
  const times = { signedInAt: now, lastUsedAt: now, endsAt };
  return { id: (await db.browserSession.create({ data: { id, userId, sessionVersion: 0, ...times } })).id };
}

async function makeLiveNode({ services: { db } }: TestApi): Promise<Params> {
  // The node sends no heartbeat, so that no other test is directed to it.
  const data = { id: crypto.randomUUID(), role: 'live', url: 'http://127.0.0.1:1', seenAt: new Date(0) };
  return { id: (await db.node.create({ data })).id };
}

async function makeStreamWithTarget(api: TestApi, owner: Person): Promise<Params> {
  const targets = [{ profile: 'source', spec: { url: 'rtmp://live.example.com/app/key' } }];
  const body = { name: 'with a target', multistream: { targets } };
  const response = await api.request('POST', '/api/stream', { key: owner.key, body });
  const { id, multistream } = (await response.json()) as Stream;
  return { id, targetId: multistream.targets[0]?.id ?? '' };
}

/** Creates a public stream. The parameter `id` is its playback id. */
async function makePlayback(api: TestApi, owner: Person): Promise<Params> {
  const { id = '' } = await createByPost('/api/stream')(api, owner);
  return { id: (await api.services.db.stream.findUniqueOrThrow({ where: { id } })).playbackId };
}

async function makePlaybackWithPassword(api: TestApi, owner: Person): Promise<Params> {
  const { password } = enterPlaybackPassword.example.body;
  const body = { name: 'with a password', playbackPolicy: { type: 'password', password } };
  const response = await api.request('POST', '/api/stream', { key: owner.key, body });
  const { playbackId } = (await response.json()) as Stream;
  return { id: playbackId, playbackId };
}

/** Creates a stream that viewers may clip, with a recording of the time in the example body. */
async function makeClippablePlayback(api: TestApi, owner: Person): Promise<Params> {
  const body = { name: 'for viewers to clip', record: true, viewerClips: true };
  const response = await api.request('POST', '/api/stream', { key: owner.key, body });
  const { id: parentId, playbackId } = (await response.json()) as Stream;
  const { startTime, endTime } = createViewerClip.example.body;
  await api.services.db.session.create({
    data: {
      teamId: owner.teamId,
      parentId,
      playbackId,
      name: body.name,
      record: true,
      state: 'ended',
      recording: 'ready',
      createdAt: new Date(startTime),
      lastSeen: new Date(endTime),
    },
  });
  return { id: playbackId };
}

async function makeSigningKey({ services: { db } }: TestApi, { teamId }: Person): Promise<Params> {
  // The key is inserted directly, because the API allows ten keys per team.
  return { id: (await db.signingKey.create({ data: { teamId, name: 'k', publicKey: 'cHVibGlj' } })).id };
}

async function makeSession(api: TestApi, owner: Person): Promise<Params> {
  const { id: parentId = '' } = await createByPost('/api/stream')(api, owner);
  const data = { teamId: owner.teamId, parentId, name: 'of the owner', playbackId: 'x'.repeat(16) };
  return { id: (await api.services.db.session.create({ data })).id };
}

async function makeWebhookLog(api: TestApi, owner: Person): Promise<Params> {
  const [{ db }, { teamId }] = [api.services, owner];
  const { id = '' } = await createByPost('/api/webhook')(api, owner);
  const event = await db.event.create({ data: { teamId, name: 'stream.idle', payload: {} } });
  const delivery = await db.webhookDelivery.create({
    data: { eventId: event.id, webhookId: id, attempt: 1 },
  });
  const webhookAttempt = await db.webhookAttempt.create({
    data: { teamId, webhookId: id, deliveryId: delivery.id, event: event.name, attempt: 1 },
  });
  return { id, logId: webhookAttempt.id };
}

/** Creates the asset that example bodies refer to. It may be called once per database. */
export async function makeExampleAsset(api: TestApi, owner: Person): Promise<void> {
  const { playbackId } = readyAsset;
  const id = await makeReadyAsset(api, owner, assetId);
  await api.services.db.asset.update({ where: { id }, data: { playbackId } });
}

/** Inserts an asset as the worker would. It does not count toward the task limit of the team. */
async function makeReadyAsset(api: TestApi, { teamId }: Person, id = crypto.randomUUID()): Promise<string> {
  const playbackId = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  const { videoSpec } = readyAsset;
  const state = { sourceType: 'directUpload', phase: 'ready' as const };
  const data = { id, teamId, name: 'ready', playbackId, videoSpec, ...state };
  return (await api.services.db.asset.create({ data })).id;
}

async function makeDeletedAsset(api: TestApi, owner: Person): Promise<Params> {
  const id = await makeReadyAsset(api, owner);
  await api.services.db.asset.update({ where: { id }, data: { deletedAt: new Date() } });
  return { id };
}

async function makeAssetWithTrack(api: TestApi, owner: Person): Promise<Params> {
  const id = await makeReadyAsset(api, owner);
  const track = { kind: 'subtitles', language: 'de', label: 'Deutsch', cues: 0, text: 'WEBVTT\n' };
  const { id: trackId } = await api.services.db.assetTrack.create({ data: { assetId: id, ...track } });
  return { id, trackId };
}

async function makeFailedImport(api: TestApi, { teamId }: Person): Promise<Params> {
  const { db } = api.services;
  const playbackId = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  const sourceUrl = 'https://files.example/a.mp4';
  const { id: outputAssetId } = await db.asset.create({
    data: { teamId, name: 'failed', playbackId, sourceType: 'url', sourceUrl, phase: 'failed' },
  });
  const params = { import: { url: sourceUrl } };
  const task = { teamId, type: 'import', phase: 'failed' as const, params, outputAssetId };
  return { id: (await db.task.create({ data: task })).id };
}

async function makeTask(api: TestApi, { teamId }: Person, phase: TaskPhase = 'completed'): Promise<Params> {
  const data = { teamId, type: 'import', phase, params: {} };
  return { id: (await api.services.db.task.create({ data })).id };
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { newId } from '@/lib/infra/ids';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { registerNode, viewersPath, unregisterNode } from '@/lib/domain/nodes';
import { getViewers } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createWriteHandler } from '@/media-worker/kit/http/internal-writes';
import { createViewerCount } from './count-viewers';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { startFakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';

const { ctx, createTeam, createStream, readStream } = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();
const live = await startFakeLiveNode();
live.answer = (path, response) =>
  response.end(path.split('/').length === 3 ? '#EXTM3U\nsource/index.m3u8\n' : '#EXTM3U\n');
const upstream = createUpstream(() => ({}));
afterAll(async () => {
  upstream.close();
  await live.close();
});
const closing: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

/** This test has no assets. */
const failOnView = (playbackId: string) => expect.unreachable(playbackId);
const rejectCall = () => Promise.reject(new Error('viewers only'));

async function startOriginProcess() {
  const id = newId();
  const viewers = createViewerCount(ctx, id, failOnView);
  const server = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: new LiveSource({
      nodes: new NodeFinder(() => Promise.resolve(live.url), systemClock),
      proxy: new LiveProxy({ fetch: upstream.fetch }),
    }),
    uploads: {
      put: rejectCall,
      logo: rejectCall,
      slate: rejectCall,
      poster: rejectCall,
      tus: { handle: rejectCall },
    },
    recordings: noRecordings,
    serveAsset: rejectCall,
    serveIpfs: rejectCall,
    serveUploadedPicture: rejectCall,
    onDelivery: () => undefined,
    watch: viewers.watch,
    guard: admitAllViewers,
    answerWrite: createWriteHandler({
      signatures: createNodeSignatures(ctx.secrets, ctx.clock),
      receiver: () => url,
      writes: viewers.writes,
    }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const announce = () => registerNode(ctx, { id, role: 'origin', url, machineId: null });
  await announce();
  const stop = async () => {
    await unregisterNode(ctx, id);
    await server.close();
    await viewers.finish();
  };
  closing.push(async () => {
    await unregisterNode(ctx, id);
    await server.close();
  });
  return { url, stop, announce, ...viewers };
}

type Origin = Awaited<ReturnType<typeof startOriginProcess>>;

const fetchText = async (address: string) => {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return response.text();
};
/**
 * Loads the master playlist of an origin.
 * @returns a function that loads its media playlist from any origin
 */
const startPlayback = async ({ url }: Origin, playbackId: string) => {
  const masterPlaylist = await fetchText(`${url}/hls/${playbackId}/index.m3u8`);
  const [, playlist] = masterPlaylist.split('\n');
  return (servingOrigin: Origin) => fetchText(`${servingOrigin.url}/hls/${playbackId}/${playlist}`);
};
/** Lets origins exchange their reports twice: viewers arrive with the first exchange and are written with the second. */
const exchangeRounds = async (...origins: Origin[]) => {
  for (let round = 0; round < 2; round += 1) {
    for (const origin of origins) {
      await origin.announce();
      origin.sample();
      await origin.write();
    }
  }
};
/** The viewers and views of a stream in the database. */
const countsOf = async (id: string) => {
  const { viewers } = await getViewers({ ...ctx, actor: { kind: 'cli', teamId } }, id, {});
  return [viewers, (await readStream(id)).views];
};

describe('a viewer that a load balancer sends to two origins in turn', () => {
  test('is one viewer and one view', async () => {
    const [{ id, playbackId }, firstOrigin, secondOrigin] = [
      await createStream(teamId),
      await startOriginProcess(),
      await startOriginProcess(),
    ];
    const play = await startPlayback(firstOrigin, playbackId);
    for (let request = 0; request < 3; request += 1) {
      for (const servingOrigin of [secondOrigin, firstOrigin]) await play(servingOrigin);
      await exchangeRounds(firstOrigin, secondOrigin);
      expect(await countsOf(id)).toEqual([1, 1]);
    }
  });

  test('is one viewer and one view, even if the origin that issued its token serves it no media playlist', async () => {
    const [{ id, playbackId }, firstOrigin, secondOrigin] = [
      await createStream(teamId),
      await startOriginProcess(),
      await startOriginProcess(),
    ];
    const play = await startPlayback(firstOrigin, playbackId);
    for (let request = 0; request < 3; request += 1) {
      await play(secondOrigin);
      await exchangeRounds(firstOrigin, secondOrigin);
      expect(await countsOf(id)).toEqual([1, 1]);
    }
    const playOther = await startPlayback(secondOrigin, playbackId);
    for (const servingOrigin of [firstOrigin, secondOrigin]) await playOther(servingOrigin);
    await exchangeRounds(firstOrigin, secondOrigin);
    expect(await countsOf(id)).toEqual([2, 2]);
  });

  test('stays one when the origin that counts it stops and starts again', async () => {
    const [{ id, playbackId }, firstOrigin, secondOrigin] = [
      await createStream(teamId),
      await startOriginProcess(),
      await startOriginProcess(),
    ];
    const play = await startPlayback(firstOrigin, playbackId);
    for (const servingOrigin of [firstOrigin, secondOrigin]) await play(servingOrigin);
    await exchangeRounds(firstOrigin, secondOrigin);
    await firstOrigin.stop();
    await play(secondOrigin);
    await exchangeRounds(secondOrigin);
    expect(await countsOf(id)).toEqual([1, 1]);
    const restartedOrigin = await startOriginProcess();
    for (let request = 0; request < 3; request += 1) {
      for (const servingOrigin of [restartedOrigin, secondOrigin]) await play(servingOrigin);
      await exchangeRounds(restartedOrigin, secondOrigin);
      expect(await countsOf(id)).toEqual([1, 1]);
    }
  });

  test('stays one when the only origin restarts', async () => {
    const [{ id, playbackId }, origin] = [await createStream(teamId), await startOriginProcess()];
    const play = await startPlayback(origin, playbackId);
    await play(origin);
    await exchangeRounds(origin);
    expect(await countsOf(id)).toEqual([1, 1]);
    await origin.stop();
    expect(await countsOf(id)).toEqual([0, 1]);
    const restartedOrigin = await startOriginProcess();
    await play(restartedOrigin);
    await exchangeRounds(restartedOrigin);
    expect(await countsOf(id)).toEqual([1, 1]);
  });
});

describe('reports of viewers', () => {
  const signatures = createNodeSignatures(ctx.secrets, ctx.clock);
  const signatureOf = (receiver: Origin, body: string) =>
    signatures.sign({
      receiver: receiver.url,
      method: 'POST',
      path: viewersPath,
      body: Buffer.from(body),
    });
  const post = ({ url }: Origin, body: string, signature?: string) => {
    const headers = signature === undefined ? {} : { [nodeSignatureHeader]: signature };
    return fetch(url + viewersPath, { method: 'POST', body, headers });
  };
  /** Returns the body of a report that tells this origin about one of its playbacks. */
  const reportOf = async (origin: Origin, playbackId: string) => {
    const masterPlaylist = await fetchText(`${origin.url}/hls/${playbackId}/index.m3u8`);
    return JSON.stringify([[playbackId, /viewer=([\w-]+)/.exec(masterPlaylist)?.[1]]]);
  };

  test('are accepted from nodes of this installation, once', async () => {
    const [{ id, playbackId }, origin] = [await createStream(teamId), await startOriginProcess()];
    const body = await reportOf(origin, playbackId);
    for (const signature of [undefined, 'x', signatureOf(origin, `${body} `)]) {
      expect((await post(origin, body, signature)).status).toBe(401);
    }
    await exchangeRounds(origin);
    expect(await countsOf(id)).toEqual([0, 0]);
    const signature = signatureOf(origin, body);
    expect((await post(origin, body, signature)).status).toBe(204);
    expect((await post(origin, body, signature)).status).toBe(401);
    await exchangeRounds(origin);
    expect(await countsOf(id)).toEqual([1, 1]);
  });

  test.each([
    ['invalid JSON', 'viewers', 400],
    ['another JSON structure', '{"viewers":3}', 400],
    ['invalid playback tokens', '[["abcd1234efgh5678","x"]]', 400],
    ['an oversized body', 'x'.repeat(20_000), 413],
  ])('with %s are rejected', async (_name, body, status) => {
    const origin = await startOriginProcess();
    expect((await post(origin, body, signatureOf(origin, body))).status).toBe(status);
  });

  test('that do not arrive time out', async () => {
    const { url } = await startOriginProcess();
    const { port, host } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST ${viewersPath} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n[`);
    await once(socket, 'close');
  });

  test('are not found with GET, and POST is not allowed at other paths', async () => {
    const origin = await startOriginProcess();
    expect((await fetch(origin.url + viewersPath)).status).toBe(404);
    expect((await fetch(`${origin.url}/other`, { method: 'POST', body: '[]' })).status).toBe(405);
  });
});

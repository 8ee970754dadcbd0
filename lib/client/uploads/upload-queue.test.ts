import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiCallError } from '@/lib/client/call';
import { type UploadClaims, UploadRecords } from './upload-records';
import { UploadQueue } from './upload-queue';
import { FakeLocks, FakeServer, FakeStorage } from './testing/upload-fakes';

let storage: FakeStorage;
let claims: FakeLocks;
let server: FakeServer;
let [nowMs, idCount] = [0, 0];
const tabs: UploadQueue[] = [];

beforeEach(() => {
  [storage, claims, server] = [new FakeStorage(), new FakeLocks(), new FakeServer()];
  [nowMs, idCount] = [1_000, 0];
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});

/** Opens a tab of the browser in which `account` is signed in. */
function openTab(account = 'ada@example.com'): UploadQueue {
  const tab = new UploadQueue({
    records: new UploadRecords(() => storage, account),
    claims: claims satisfies UploadClaims,
    accept: 'mp4',
    startTransfer: (file, taskId, _endpoint, events) => {
      const transfer = { name: file.name, taskId, events, stopped: null as string | null };
      server.transfers.push(transfer);
      return { stop: (deleteUpload) => (transfer.stopped = deleteUpload ? 'deleted' : 'paused') };
    },
    requestTarget: server.requestTarget,
    discard: ({ assetId, taskId }, { replaces }) =>
      Promise.resolve(void server.discardedIds.push(replaces === null ? assetId : taskId)),
    newId: () => `id-${(idCount += 1)}`,
    now: () => nowMs,
  });
  tabs.push(tab);
  return tab;
}

const videoFile = (name: string, size = 1_000) =>
  new File([new Uint8Array(size)], name, { type: 'video/mp4', lastModified: 7 });
const waitForQueue = () => new Promise((resolve) => setImmediate(resolve));
const phasesOf = (tab: UploadQueue) => tab.entries().map(({ phase }) => phase);
const onlyEntry = (tab: UploadQueue) => {
  const [entry] = tab.entries();
  if (!entry) throw new Error('the queue is empty');
  return entry;
};

test('a replacement remains a replacement after a reload, and cancelling it cancels only the replacement', async () => {
  const firstTab = openTab();
  firstTab.add([videoFile('a.mp4')]);
  // The first call adds the file, the second one is rejected.
  for (const rejections of [[], [{ name: 'a.mp4', reason: 'alreadyQueued' }]])
    expect(firstTab.replace('asset-7', videoFile('a.mp4'))).toEqual(rejections);
  await waitForQueue();
  expect(server.replacedAssetIds).toEqual([null, 'asset-7']);
  for (const tab of tabs.splice(0)) tab.close();
  const tab = openTab();
  await tab.restore();
  tab.cancel(tab.entries().find(({ replaces }) => replaces === 'asset-7')?.id ?? '');
  expect([server.discardedIds, phasesOf(tab)]).toEqual([['task-2'], ['detached']]);
});

describe('sending', () => {
  test('three files are sent at a time, and the next one when a slot is free', async () => {
    const tab = openTab();
    expect(tab.add(['a', 'b', 'c', 'd'].map((name) => videoFile(`${name}.mp4`)))).toEqual([]);
    await waitForQueue();
    expect(phasesOf(tab)).toEqual(['uploading', 'uploading', 'uploading', 'queued']);
    server.transfers[0]?.events.onReceived();
    await waitForQueue();
    expect(phasesOf(tab)).toEqual(['processing', 'uploading', 'uploading', 'uploading']);
    expect(server.transfers.map(({ name }) => name)).toEqual(['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4']);
  });

  test('progress and rate are reported', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4', 10_000)]);
    await waitForQueue();
    const { events } = server.lastTransfer();
    for (const bytes of [0, 2_000, 4_000]) {
      events.onProgress(bytes);
      nowMs += 1_000;
    }
    expect(onlyEntry(tab)).toMatchObject({ sent: 4_000, rate: 2_000 });
  });

  test('files that are empty, no video or already queued are not added', async () => {
    const tab = openTab();
    const rejections = tab.add([
      new File(['x'], 'notes.txt'),
      videoFile('none.mp4', 0),
      videoFile('a.mp4'),
      videoFile('a.mp4'),
    ]);
    expect(rejections).toEqual([
      { name: 'notes.txt', reason: 'notVideo' },
      { name: 'none.mp4', reason: 'empty' },
      { name: 'a.mp4', reason: 'alreadyQueued' },
    ]);
    await waitForQueue();
    expect(server.requestCount).toBe(1);
  });

  test('listeners are notified of a change, which creates a new list, until they unsubscribe', () => {
    const tab = openTab();
    const entriesBefore = tab.entries();
    let notificationCount = 0;
    const unsubscribe = tab.subscribe(() => (notificationCount += 1));
    tab.add([videoFile('a.mp4')]);
    expect(notificationCount).toBeGreaterThan(0);
    expect(tab.entries()).not.toBe(entriesBefore);
    unsubscribe();
    const countBefore = notificationCount;
    tab.cancel('id-1');
    expect(notificationCount).toBe(countBefore);
  });
});

describe('stopping', () => {
  test('a paused upload gives its slot to the next one and resumes with the same asset', async () => {
    const tab = openTab();
    tab.add(['a', 'b', 'c', 'd'].map((name) => videoFile(`${name}.mp4`)));
    await waitForQueue();
    tab.pause('id-1');
    await waitForQueue();
    expect(phasesOf(tab)).toEqual(['paused', 'uploading', 'uploading', 'uploading']);
    expect(server.transfers[0]?.stopped).toBe('paused');
    server.transfers[1]?.events.onReceived();
    tab.resume('id-1');
    await waitForQueue();
    expect(server.lastTransfer()).toMatchObject({ name: 'a.mp4', taskId: 'task-1' });
    expect(server.requestCount).toBe(4);
  });

  test('an upload URL is requested once, even if the upload is paused and resumed meanwhile', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4')]);
    tab.pause('id-1');
    tab.resume('id-1');
    await waitForQueue();
    expect([server.requestCount, server.transfers.length]).toEqual([1, 1]);
  });

  test('a cancelled upload leaves no record and no asset', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4')]);
    await waitForQueue();
    tab.cancel('id-1');
    expect(tab.entries()).toEqual([]);
    expect(server.lastTransfer().stopped).toBe('deleted');
    expect(server.discardedIds).toEqual(['asset-1']);
    expect(storage.length).toBe(0);
  });

  test('an asset that is created after its upload was cancelled is deleted', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4')]);
    tab.cancel('id-1');
    await waitForQueue();
    expect(server.transfers).toEqual([]);
    expect(server.discardedIds).toEqual(['asset-1']);
  });

  test('an interrupted upload reports the network failure and resumes with the network', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4')]);
    await waitForQueue();
    server.lastTransfer().events.onEnd('interrupted', { fault: 'connectionLost', status: 0 });
    expect(onlyEntry(tab)).toMatchObject({ phase: 'broken', reason: { fault: 'connectionLost' } });
    tab.resumeInterrupted();
    await waitForQueue();
    expect(onlyEntry(tab)).toMatchObject({ phase: 'uploading', reason: null });
    expect(server.lastTransfer().taskId).toBe('task-1');
  });

  test('an expired upload starts again with a new upload URL', async () => {
    const tab = openTab();
    tab.add([videoFile('a.mp4')]);
    await waitForQueue();
    server.lastTransfer().events.onProgress(500);
    server.lastTransfer().events.onEnd('expired', { fault: 'expired', status: 410 });
    expect(onlyEntry(tab)).toMatchObject({ phase: 'broken', target: null, sent: 0 });
    tab.resume('id-1');
    await waitForQueue();
    expect(server.lastTransfer().taskId).toBe('task-2');
  });

  test('a rejected file is final and frees its slot', async () => {
    const tab = openTab();
    tab.add(['a', 'b', 'c', 'd'].map((name) => videoFile(`${name}.mp4`)));
    await waitForQueue();
    server.transfers[0]?.events.onEnd('rejected', 'the file is not an MP4');
    await waitForQueue();
    expect(phasesOf(tab)).toEqual(['failed', 'uploading', 'uploading', 'uploading']);
    tab.dismiss();
    expect(phasesOf(tab)).toEqual(['uploading', 'uploading', 'uploading']);
  });

  test.each([
    [new ApiCallError(429, ['Too many requests']), 'broken'],
    [new ApiCallError(0, ['The server cannot be reached']), 'broken'],
    [new ApiCallError(503, ['Not now']), 'broken'],
    [new ApiCallError(422, ['name: too long']), 'failed'],
  ])(
    'an upload that gets no URL (%s) can be retried unless the request is invalid',
    async (rejection, phase) => {
      const tab = openTab();
      server.rejection = rejection;
      tab.add([videoFile('a.mp4')]);
      await waitForQueue();
      expect(onlyEntry(tab)).toMatchObject({ phase, reason: rejection.message });
    },
  );
});

describe('after a reload', () => {
  async function reloadDuringUpload(): Promise<UploadQueue> {
    const firstTab = openTab();
    firstTab.add([videoFile('a.mp4')]);
    await waitForQueue();
    nowMs += 5_000;
    server.lastTransfer().events.onProgress(430);
    firstTab.close();
    const reloadedTab = openTab();
    await reloadedTab.restore();
    return reloadedTab;
  }

  test('an upload waits for its file and resumes with the same asset', async () => {
    const tab = await reloadDuringUpload();
    expect(onlyEntry(tab)).toMatchObject({ phase: 'detached', sent: 430, name: 'a.mp4' });
    expect(tab.attachFile(onlyEntry(tab).id, videoFile('a.mp4', 999))).toBe(false);
    expect(phasesOf(tab)).toEqual(['detached']);
    expect(tab.attachFile(onlyEntry(tab).id, videoFile('a.mp4'))).toBe(true);
    await waitForQueue();
    expect([server.requestCount, server.lastTransfer().taskId]).toEqual([1, 'task-1']);
  });

  test('dropping the file again resumes its upload', async () => {
    const tab = await reloadDuringUpload();
    expect(tab.add([videoFile('a.mp4')])).toEqual([]);
    await waitForQueue();
    expect(phasesOf(tab)).toEqual(['uploading']);
    expect(server.requestCount).toBe(1);
  });

  test('an upload without its file can be cancelled', async () => {
    const tab = await reloadDuringUpload();
    tab.cancel(onlyEntry(tab).id);
    expect([tab.entries().length, storage.length, server.discardedIds.length]).toEqual([0, 0, 1]);
  });

  test('an upload that is being processed keeps its phase, and its record is deleted when the asset is ready', async () => {
    const firstTab = openTab();
    firstTab.add([videoFile('a.mp4')]);
    await waitForQueue();
    server.lastTransfer().events.onReceived();
    firstTab.close();
    const tab = openTab();
    await tab.restore();
    expect(onlyEntry(tab)).toMatchObject({ phase: 'processing', target: { taskId: 'task-1' }, sent: 1_000 });
    tab.settle(onlyEntry(tab).id, 'completed');
    expect(phasesOf(tab)).toEqual(['ready']);
    expect(storage.length).toBe(0);
  });

  test('other accounts do not see an upload, and its record expires after twelve hours', async () => {
    const tab = await reloadDuringUpload();
    tab.close();
    const otherTab = openTab('bob@example.com');
    await otherTab.restore();
    expect(otherTab.entries()).toEqual([]);
    nowMs += 12 * 3_600_000 + 1;
    const laterTab = openTab();
    await laterTab.restore();
    expect(laterTab.entries()).toEqual([]);
    expect(storage.length).toBe(0);
  });

  test('unreadable records are deleted', async () => {
    storage.setItem('headwater.upload.ada@example.com.x', '{"id":7}');
    storage.setItem('headwater.upload.ada@example.com.y', 'not JSON');
    const tab = openTab();
    await tab.restore();
    expect([tab.entries().length, storage.length]).toEqual([0, 0]);
  });
});

describe('two tabs', () => {
  const keyOf = (id: string) => `headwater.upload.ada@example.com.${id}`;

  test('one tab sends, the other shows the progress, and can resume the upload when the first is closed', async () => {
    const [sender, watcher] = [openTab(), openTab()];
    sender.add([videoFile('a.mp4')]);
    await watcher.onStorageChange(keyOf('id-1'));
    expect(phasesOf(watcher)).toEqual(['elsewhere']);
    await waitForQueue();
    nowMs += 5_000;
    server.lastTransfer().events.onProgress(600);
    await watcher.onStorageChange(keyOf('id-1'));
    expect(onlyEntry(watcher).sent).toBe(600);
    watcher.cancel('id-1');
    expect(phasesOf(watcher)).toEqual(['elsewhere']);
    sender.close();
    await waitForQueue();
    expect(onlyEntry(watcher)).toMatchObject({ phase: 'detached', sent: 600 });
  });

  test('of two tabs that can resume an upload, one resumes it, and the other shows that it is being sent elsewhere', async () => {
    const closedTab = openTab();
    closedTab.add([videoFile('a.mp4')]);
    await waitForQueue();
    closedTab.close();
    const [first, second] = [openTab(), openTab()];
    await first.restore();
    await second.restore();
    expect([...phasesOf(first), ...phasesOf(second)]).toEqual(['detached', 'detached']);
    expect(second.attachFile('id-1', videoFile('a.mp4'))).toBe(true);
    await first.onStorageChange(keyOf('id-1'));
    await waitForQueue();
    expect([...phasesOf(first), ...phasesOf(second)]).toEqual(['elsewhere', 'uploading']);
    second.close();
    await waitForQueue();
    expect(phasesOf(first)).toEqual(['detached']);
    expect(server.requestCount).toBe(1);
  });

  test('the other tab shows that an upload was received, and removes a cancelled one', async () => {
    const [sender, watcher] = [openTab(), openTab()];
    sender.add([videoFile('a.mp4'), videoFile('b.mp4')]);
    await watcher.onStorageChange(keyOf('id-1'));
    await watcher.onStorageChange(keyOf('id-2'));
    await waitForQueue();
    server.transfers[0]?.events.onReceived();
    await watcher.onStorageChange(keyOf('id-1'));
    sender.cancel('id-2');
    await watcher.onStorageChange(keyOf('id-2'));
    expect(phasesOf(watcher)).toEqual(['processing']);
  });

  test('storage keys of other features are ignored', async () => {
    const tab = openTab();
    await tab.onStorageChange('theme');
    await tab.onStorageChange(null);
    expect(tab.entries()).toEqual([]);
  });
});

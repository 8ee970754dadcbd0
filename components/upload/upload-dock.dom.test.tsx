import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { TransferEvents } from '@/lib/client/uploads/tus-transfer';
import type * as UploadTransfer from '@/lib/client/uploads/upload-transfer';
import { deleteAsset, requestUpload } from '@/lib/contract/assets/asset-endpoints';
import { getTask, type Task } from '@/lib/contract/tasks/task';
import { UploadButton } from './upload-button';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { ServerFeaturesProvider, defaultFeatures } from '@/components/shell/server-features';
import { UploadsProvider } from './uploads-provider';

/** Transfers of files to the fake upload server, in the order in which they started. */
const { transfers } = vi.hoisted(() => ({
  transfers: [] as { name: string; endpoint: string; events: TransferEvents; stopped: boolean }[],
}));

// The upload server: its protocol is tested against the real server in media-worker/delivery/origin. The mocked module
// is not tus-transfer, which is imported on demand: of several concurrent imports of a mocked module, some return the
// real module.
vi.mock('@/lib/client/uploads/upload-transfer', async (original) => ({
  ...(await original<typeof UploadTransfer>()),
  startTransfer: (file: File, _taskId: string, endpoint: string, events: TransferEvents) => {
    const transfer = { name: file.name, endpoint, events, stopped: false };
    transfers.push(transfer);
    return { stop: () => (transfer.stopped = true) };
  },
}));

const service = setUpFakeService();

beforeEach(() => {
  transfers.length = 0;
  service().onExamples(requestUpload, deleteAsset);
});

const account = 'ada@example.com';
const createFile = (name: string, size = 1_000_000, type = 'video/mp4') => {
  // Name, size and `lastModified` identify a file after a reload.
  const file = new File(['content'], name, { type, lastModified: 7 });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};

function openPage(accept: AcceptedMedia = 'mp4') {
  const page = renderPage(
    <ServerFeaturesProvider value={{ ...defaultFeatures, acceptMedia: accept }}>
      <UploadsProvider account={account}>
        <UploadButton />
      </UploadsProvider>
    </ServerFeaturesProvider>,
    { at: '/assets' },
  );
  const addFiles = (...files: File[]) =>
    page.user.upload(
      page.container.querySelector<HTMLInputElement>('input[type=file]') as HTMLElement,
      files,
    );
  return { ...page, addFiles };
}

const findDock = () => screen.findByRole('region', { name: 'Uploads' });
const findText = async (text: string | RegExp) => within(await findDock()).findByText(text);
/**
 * Waits for a transfer of a file.
 * @param earlierTransfers number of earlier transfers of the file, which were paused or lost
 */
async function findTransfer(name: string, earlierTransfers = 0) {
  const matchingTransfers = () => transfers.filter((candidate) => candidate.name === name);
  await expect.poll(() => matchingTransfers().length).toBeGreaterThan(earlierTransfers);
  const transfer = matchingTransfers()[earlierTransfers];
  if (!transfer) throw new Error(`${name} is not being sent`);
  return transfer;
}
/** Calls event handlers of a transfer, and waits until React has rendered the result. */
const notify = (callHandlers: () => void) =>
  act(async () => {
    callHandlers();
    await Promise.resolve();
  });
const createTask = (status: Partial<Task['status']>): Task => {
  const example = exampleOf(getTask);
  return { ...example, status: { ...example.status, ...status } };
};

describe('a file', () => {
  test('waits while three others are sent', async () => {
    const { addFiles } = openPage();
    await addFiles(
      createFile('a.mp4'),
      createFile('b.mp4'),
      createFile('c.mp4'),
      createFile('d.mp4', 2_500_000),
    );
    await findText('Uploading 4 files');
    await findText('Queued · 2.5 MB');
    const firstTransfer = await findTransfer('a.mp4');
    service().on(getTask, createTask({ phase: 'running' }));
    await notify(() => firstTransfer.events.onReceived());
    await findTransfer('d.mp4');
  });

  test('is created under its name without the extension, and sent to the URL of the service', async () => {
    const { addFiles } = openPage();
    await addFiles(createFile('town hall.mp4'));
    const { endpoint } = await findTransfer('town hall.mp4');
    expect(
      service()
        .callsOf(requestUpload)
        .map(({ body }) => body),
    ).toEqual([{ name: 'town hall', convert: true }]);
    expect(endpoint).toBe(exampleOf(requestUpload).tusEndpoint);
  });

  test('shows percent, speed and the remaining time while it is sent', async () => {
    const { addFiles } = openPage();
    await addFiles(createFile('a.mp4', 10_000_000));
    const { events } = await findTransfer('a.mp4');
    const clock = vi.spyOn(Date, 'now');
    const startedAt = 1_767_225_600_000;
    for (const second of [0, 1, 2, 3]) {
      clock.mockReturnValue(startedAt + second * 1_000);
      await notify(() => events.onProgress(second * 1_000_000));
    }
    // The row of the file, and the total of all files.
    await findText('30 % · 1.0 MB/s · 7 s left');
    await findText('30 % · 7 s left');
    const bar = screen.getByRole('progressbar', { name: 'Upload of a.mp4' });
    expect(bar.getAttribute('aria-valuenow')).toBe('30');
    clock.mockRestore();
  });

  test('is shown as being checked once all of it has been sent', async () => {
    const { addFiles } = openPage();
    await addFiles(createFile('a.mp4', 1_000));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onProgress(1_000));
    await findText('Checking the file');
  });

  test('is paused and resumed with the same upload URL', async () => {
    const { addFiles, user } = openPage();
    await addFiles(createFile('a.mp4', 1_000));
    const firstTransfer = await findTransfer('a.mp4');
    await notify(() => firstTransfer.events.onProgress(400));
    await user.click(await screen.findByRole('button', { name: 'Pause a.mp4' }));
    await findText('Paused at 40 %');
    await findText('1 file has stopped');
    expect(firstTransfer.stopped).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Resume a.mp4' }));
    await findTransfer('a.mp4', 1);
    expect(service().callsOf(requestUpload)).toHaveLength(1);
  });

  test('whose connection was lost says so, and can be retried', async () => {
    const { addFiles, user } = openPage();
    await addFiles(createFile('a.mp4', 1_000));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onProgress(250));
    await notify(() => events.onEnd('interrupted', { fault: 'connectionLost', status: 0 }));
    await findText('Stopped at 25 %. The connection was lost.');
    await user.click(screen.getByRole('button', { name: 'Retry a.mp4' }));
    await findTransfer('a.mp4', 1);
    await findText(/^25 % of 1.0 kB$/);
  });

  test('continues automatically when the network is back', async () => {
    const { addFiles } = openPage();
    await addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onEnd('interrupted', { fault: 'connectionLost', status: 0 }));
    await notify(() => window.dispatchEvent(new Event('online')));
    await findTransfer('a.mp4', 1);
  });

  test('that the service rejects shows its message, and cannot be retried', async () => {
    const { addFiles, user } = openPage();
    await addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onEnd('rejected', 'the file is larger than 5 GB'));
    await findText('The file is larger than 5 GB.');
    await findText('1 file failed');
    expect(screen.queryByRole('button', { name: /Retry|Pause|Cancel/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove a.mp4 from the list' }));
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  });

  test('that the service rejects for a known reason shows advice', async () => {
    const { addFiles } = openPage();
    await addFiles(createFile('phone.mov'));
    const { events } = await findTransfer('phone.mov');
    const message = 'video codec is HEVC; H.264 is accepted';
    await notify(() => events.onEnd('rejected', { message, text: message }));
    await findText('Video codec is HEVC; H.264 is accepted.');
    await findText(/Convert the file and upload it again/);
    await findText(/^ffmpeg -i input -c:v libx264/);
  });

  test('for which the service creates no upload URL shows why', async () => {
    service().reject(requestUpload, 'forbidden', 'uploads are switched off');
    const { addFiles } = openPage();
    await addFiles(createFile('a.mp4'));
    await findText('Uploads are switched off.');
    expect(transfers).toEqual([]);
  });

  test('is deleted from the service when it is cancelled', async () => {
    const { addFiles, user } = openPage();
    await addFiles(createFile('a.mp4'));
    expect((await findTransfer('a.mp4')).stopped).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Cancel a.mp4' }));
    const { asset } = exampleOf(requestUpload);
    await expect
      .poll(() =>
        service()
          .callsOf(deleteAsset)
          .map(({ params }) => params.id),
      )
      .toEqual([asset.id]);
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  });

  test.each([
    ['text.txt', 10, 'text/plain', '“text.txt” is not a video.'],
    ['film.mkv', 10, 'video/x-matroska', /“film.mkv” is not an MP4 file\. Convert it to MP4/],
    ['empty.mp4', 0, 'video/mp4', '“empty.mp4” is empty.'],
  ])('named %s with %i bytes of the type %s is not accepted', async (name, size, type, message) => {
    const { container, user } = openPage();
    const field = container.querySelector<HTMLInputElement>('input[type=file]') as HTMLElement;
    // The dialog of a browser lets the user choose other types too.
    field.removeAttribute('accept');
    await user.upload(field, createFile(name, size, type));
    await screen.findByText(message);
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  });
});

describe('a file that was received', () => {
  test('shows the progress of its task until it is ready, and links to its asset', async () => {
    const { addFiles, user } = openPage();
    service().on(getTask, createTask({ phase: 'running', progress: 0.4 }));
    await addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onReceived());
    await findText('Uploaded · processing, 40 %');
    await findText('Processing 1 file');
    service().on(getTask, createTask({ phase: 'completed', progress: 1 }));
    await findText('Ready to play');
    const link = within(await findDock()).getByRole('link', { name: 'a.mp4' });
    expect(link.getAttribute('href')).toBe(`/assets/${exampleOf(requestUpload).asset.id}`);
    await user.click(screen.getByRole('button', { name: 'Close the list of uploads' }));
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  });

  test('but cannot be read shows the error of its task', async () => {
    const { addFiles } = openPage();
    service().on(getTask, createTask({ phase: 'failed', errorMessage: 'the video is HEVC: upload H.264' }));
    await addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onReceived());
    await findText('The video is HEVC: upload H.264.');
  });

  test('and whose asset was deleted since says so', async () => {
    const { addFiles } = openPage();
    service().reject(getTask, 'not_found', 'not found');
    await addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onReceived());
    await findText('The asset was deleted.');
  });
});

describe('after a reload', () => {
  /** Sends 40 % of a file, then unloads the page and loads it again. */
  async function reloadDuringUpload() {
    const firstPage = openPage();
    await firstPage.addFiles(createFile('a.mp4', 1_000));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onProgress(400));
    firstPage.unmount();
    const page = openPage();
    await findText(/Stopped at 40 % when you left the page. Choose the file again to resume./);
    const chooseFile = (file: File) => page.user.upload(screen.getByLabelText('File a.mp4'), file);
    return { ...page, chooseFile };
  }

  test('an upload is listed, and resumes with its file', async () => {
    const { chooseFile } = await reloadDuringUpload();
    await chooseFile(createFile('a.mp4', 1_000));
    await findTransfer('a.mp4', 1);
    expect(service().callsOf(requestUpload)).toHaveLength(1);
  });

  test('another file than the one that was chosen before is rejected', async () => {
    const { chooseFile } = await reloadDuringUpload();
    await chooseFile(createFile('b.mp4', 1_000));
    await findText('“b.mp4” is a different file. Choose “a.mp4” (1.0 kB) to resume this upload.');
    expect(transfers).toHaveLength(1);
  });

  test('a file that was sent completely shows the progress of its task', async () => {
    const firstPage = openPage();
    service().on(getTask, createTask({ phase: 'running', progress: 0.1 }));
    await firstPage.addFiles(createFile('a.mp4'));
    const { events } = await findTransfer('a.mp4');
    await notify(() => events.onReceived());
    firstPage.unmount();
    openPage();
    await findText('Uploaded · processing, 10 %');
  });
});

test('the list collapses to one line that still shows the progress', async () => {
  const { addFiles, user } = openPage();
  await addFiles(createFile('a.mp4', 1_000));
  const { events } = await findTransfer('a.mp4');
  await notify(() => events.onProgress(500));
  await user.click(await screen.findByRole('button', { name: 'Hide the list of uploads' }));
  expect(screen.queryByRole('button', { name: 'Pause a.mp4' })).toBeNull();
  screen.getByRole('progressbar', { name: 'All uploads' });
  await user.click(screen.getByRole('button', { name: 'Show the list of uploads' }));
  screen.getByRole('button', { name: 'Pause a.mp4' });
});

test('files dropped anywhere on the page are uploaded', async () => {
  openPage();
  const dataTransfer = { types: ['Files'], files: [createFile('a.mp4')] };
  const fireDragEvent = (name: string) =>
    notify(() =>
      window.dispatchEvent(Object.assign(new Event(name, { cancelable: true }), { dataTransfer })),
    );
  await fireDragEvent('dragenter');
  screen.getByText('Drop to upload');
  await fireDragEvent('drop');
  expect(screen.queryByText('Drop to upload')).toBeNull();
  await findTransfer('a.mp4');
});

describe("the file types of the browser's dialog", () => {
  const fieldOf = ({ container }: ReturnType<typeof openPage>) =>
    container.querySelector<HTMLInputElement>('input[type=file]');

  test('are those that the server accepts', () => {
    expect(fieldOf(openPage())?.accept).toBe('video/mp4,.mp4,.m4v');
    expect(fieldOf(openPage('any'))?.accept).toMatch(/^video\/\*,audio\/\*,\.mkv/);
  });

  test('include audio if the server accepts all media', async () => {
    const page = openPage('any');
    await page.addFiles(createFile('song.mp3', 1_000, 'audio/mpeg'));
    await findTransfer('song.mp3');
  });
});

import { type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { root } from './checks/step';
import {
  createStream,
  waitUntilPlaying,
  getJson,
  signUp,
  waitUntil,
  waitUntilLive,
  uploadFile,
} from './recording/dashboard-session';
import { createSourceVideo, startEncoder, startReceiver } from './recording/encoder';
import { withRecordedService } from './recording/recorded-service';
import { encodeFrames, writeFrameList, startScreencast } from './recording/screencast';
import { PacedClicker, showClicks } from './recording/show-clicks';
import { findFreePort } from './service/ports';

const taskDocumentPath = join(root, 'docs', 'tasks.md');
const desktopViewport = { width: 1280, height: 800 };
const phoneViewport = { width: 390, height: 780 };
const FRAMES_PER_SECOND = 4;
/** Timeout for a stream, target or clip to become live or ready. */
const TIMEOUT_MS = 120_000;

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** What a task can use. The service and the account are the same for all tasks; encoders end with their task. */
interface TaskContext {
  readonly browser: Browser;
  readonly baseURL: string;
  /** The page that is recorded; it is signed in. */
  readonly page: Page;
  /** Starts an encoder that publishes the test video with this stream key. */
  readonly publish: (streamKey: string) => ChildProcess;
  /**
   * Starts an RTMP server for a multistream target.
   * @returns its URL with a stream key
   */
  readonly startTargetServer: () => Promise<string>;
  /** Path of the test video. */
  readonly sourcePath: string;
}

/** Something that people do in the dashboard, such as making a clip. */
interface RecordedTask {
  /** Part of the name of the image (task-NAME.webp), and of the marker of the row in docs/tasks.md. */
  readonly name: string;
  readonly viewport: typeof desktopViewport;
  /**
   * Creates the objects that the task needs, before the recording starts.
   * @returns the path of the first page
   */
  readonly prepare: (context: TaskContext) => Promise<string>;
  /** Does the task, click by click, while the page is recorded. */
  readonly run: (clicker: PacedClicker, context: TaskContext) => Promise<void>;
}

/**
 * `npm run task-videos [-- NAME …]`: records the tasks of docs/tasks.md with a temporary service, counts their clicks, and
 * writes both into `docs`.
 * @param args names of the tasks to record; empty for all
 */
export default async function taskVideos(args: readonly string[] = []): Promise<void> {
  const chosenTasks =
    args.length > 0 ? recordedTasks.filter(({ name }) => args.includes(name)) : recordedTasks;
  await withRecordedService(log, async ({ folder, browser, baseURL, rtmpUrl, signal }) => {
    const sourcePath = await createSourceVideo(folder, log, signal);
    const children: ChildProcess[] = [];
    const publish = (streamKey: string) => {
      const encoder = startEncoder(sourcePath, `${rtmpUrl}/${streamKey}`);
      children.push(encoder);
      return encoder;
    };
    const startTargetServer = async () => {
      const port = await findFreePort();
      children.push(startReceiver(port));
      return `rtmp://127.0.0.1:${port}/live/example-key`;
    };
    try {
      const browserContext = await browser.newContext({
        viewport: desktopViewport,
        colorScheme: 'light',
        baseURL,
        permissions: ['camera', 'microphone', 'clipboard-read', 'clipboard-write'],
      });
      await showClicks(browserContext);
      const page = await browserContext.newPage();
      // While a page publishes from the browser, it asks before it is left (beforeunload). This confirms it.
      page.on('dialog', (dialog) => void dialog.accept());
      await signUp(page);
      for (const task of chosenTasks) {
        const context = { browser, baseURL, page, publish, startTargetServer, sourcePath };
        await recordTask(task, context, folder, signal);
        for (const child of children.splice(0)) child.kill('SIGKILL');
      }
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
}

async function recordTask(
  task: RecordedTask,
  context: TaskContext,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { page } = context;
  const { name, viewport } = task;
  await page.setViewportSize(viewport);
  const startPath = await task.prepare(context);
  await page.goto(startPath);
  await page.locator('main[aria-busy="false"]').waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  // Lists replace their placeholders in this time.
  await sleep(1_500);
  const clicker = new PacedClicker(page);
  const stopScreencast = await startScreencast(page, folder, name);
  await task.run(clicker, context);
  await sleep(2_500);
  const listPath = await writeFrameList(folder, await stopScreencast(), 1);
  const filters = `fps=${FRAMES_PER_SECOND},scale=${viewport === phoneViewport ? 300 : 880}:-1:flags=lanczos`;
  const outputOptions = [
    '-vf',
    filters,
    '-c:v',
    'libwebp_anim',
    '-quality',
    '75',
    '-compression_level',
    '5',
    // Repeats the animation without end.
    '-loop',
    '0',
  ];
  await encodeFrames({
    listPath,
    outputOptions,
    outputPath: join(root, 'docs', 'images', `task-${name}.webp`),
    log,
    signal,
  });
  await writeClickCount(name, clicker.clickCount);
  log(`${name}: ${clicker.clickCount} clicks`);
}

/** Writes the number of clicks of a task into docs/tasks.md, after the comment that marks its place. */
async function writeClickCount(taskName: string, clickCount: number): Promise<void> {
  const markdown = await readFile(taskDocumentPath, 'utf8');
  const pattern = new RegExp(`(<!-- clicks:${taskName} -->)[^\\n]*`);
  if (!pattern.test(markdown)) throw new Error(`docs/tasks.md has no comment "clicks:${taskName}"`);
  await writeFile(taskDocumentPath, markdown.replace(pattern, `$1 ${clickCount} clicks`));
}

/** Adds a multistream target on the page of a stream. */
async function addTarget(clicker: PacedClicker, url: string, name: string): Promise<void> {
  const { page } = clicker;
  await clicker.click(
    page.getByRole('region', { name: 'Targets' }).getByRole('button', { name: 'Add target' }),
  );
  const dialog = page.getByRole('dialog');
  await clicker.click(dialog.getByRole('radio', { name: 'Custom' }));
  await clicker.type(dialog.getByLabel('URL'), url);
  await clicker.type(dialog.getByLabel('Name (optional)'), name);
  await clicker.click(dialog.getByRole('button', { name: 'Create target' }));
  await dialog.waitFor({ state: 'detached' });
}

const recordedTasks: readonly RecordedTask[] = [
  {
    name: 'go-live-from-a-phone',
    viewport: phoneViewport,
    prepare: () => Promise.resolve('/streams'),
    run: async (clicker) => {
      const { page } = clicker;
      await clicker.click(page.getByRole('button', { name: 'Create stream' }).first());
      const dialog = page.getByRole('dialog', { name: 'Create stream' });
      await clicker.type(dialog.getByLabel('Name'), 'Street concert');
      await clicker.click(dialog.getByRole('button', { name: 'Create stream' }));
      await clicker.click(page.getByRole('link', { name: 'Go live from this browser' }));
      await clicker.click(page.getByRole('button', { name: 'Use camera and microphone' }));
      await clicker.click(page.getByRole('button', { name: 'Go live', exact: true }));
      await page
        .getByRole('status')
        .filter({ hasText: /^Live$/ })
        .waitFor({ timeout: TIMEOUT_MS });
      await sleep(3_000);
    },
  },
  {
    name: 'find-out-why-a-viewer-stutters',
    viewport: desktopViewport,
    prepare: async ({ page, browser, baseURL, publish }) => {
      const stream = await createStream(page, 'Harbour camera');
      const encoder = publish(stream.streamKey);
      const viewerContext = await browser.newContext({ baseURL });
      const viewerPage = await viewerContext.newPage();
      await waitUntilLive(page, stream.id);
      await viewerPage.goto(`/watch/${stream.playbackId}`);
      await waitUntilPlaying(viewerPage);
      // The viewer watches for a while before the stall.
      await sleep(20_000);
      // SIGSTOP pauses the encoder for 9 s, like a bad uplink, so that the viewer's player stalls.
      encoder.kill('SIGSTOP');
      await sleep(9_000);
      encoder.kill('SIGCONT');
      interface Audience {
        readonly incidents: readonly unknown[];
      }
      const readAudience = () => getJson<Audience>(page, `/api/data/audience?streamId=${stream.id}`);
      await waitUntil(async () => (await readAudience()).incidents.length > 0, 'a cause of stalls');
      return '/streams';
    },
    run: async (clicker) => {
      const { page } = clicker;
      await clicker.click(page.getByRole('link', { name: 'Harbour camera' }).first());
      await clicker.click(page.getByRole('tab', { name: 'Audience' }));
      await page.getByRole('img', { name: 'Stalled' }).waitFor();
      await sleep(3_000);
    },
  },
  {
    name: 'give-one-person-access-to-one-video',
    viewport: desktopViewport,
    prepare: async ({ page, sourcePath }) => {
      await uploadFile(page, sourcePath, 'Board meeting');
      return '/assets';
    },
    run: async (clicker) => {
      const { page } = clicker;
      await clicker.click(page.getByRole('link', { name: 'Board meeting' }).first());
      await clicker.click(page.getByRole('tab', { name: 'Sharing & access' }));
      const accessPanel = page.getByRole('region', { name: 'Who can watch' });
      await clicker.click(accessPanel.getByRole('radio', { name: /^Signed token/ }));
      await clicker.click(accessPanel.getByRole('button', { name: 'Save' }));
      await clicker.click(page.getByRole('button', { name: 'Create link' }));
      await clicker.click(page.getByRole('button', { name: 'Copy watch page with token' }));
      await sleep(1_500);
      // The person with the link watches.
      await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
      await waitUntilPlaying(page);
      await sleep(2_000);
    },
  },
  {
    name: 'restream-to-two-places',
    viewport: desktopViewport,
    prepare: async ({ page, publish }) => {
      const stream = await createStream(page, 'Town hall');
      publish(stream.streamKey);
      await waitUntilLive(page, stream.id);
      return `/streams/${stream.id}`;
    },
    run: async (clicker, { page, startTargetServer }) => {
      for (const name of ['City website', 'School'])
        await addTarget(clicker, await startTargetServer(), name);
      const targetsPanel = page.getByRole('region', { name: 'Targets' });
      for (const name of ['City website', 'School'])
        await targetsPanel
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText('Live')
          .waitFor({ timeout: TIMEOUT_MS });
      await sleep(2_000);
    },
  },
  {
    name: 'clip-a-highlight',
    viewport: desktopViewport,
    prepare: async ({ page, sourcePath }) =>
      `/assets/${(await uploadFile(page, sourcePath, 'Cup final')).id}`,
    run: async (clicker) => {
      const { page } = clicker;
      await clicker.click(page.getByRole('button', { name: 'Play', exact: true }).first());
      await waitUntilPlaying(page);
      await sleep(5_000);
      await clicker.click(page.getByRole('button', { name: 'Clip', exact: true }));
      const editor = page.getByRole('region', { name: 'New clip' });
      await clicker.click(editor.getByRole('button', { name: 'End here' }));
      await clicker.click(editor.getByRole('button', { name: 'Create clip' }));
      await clicker.click(page.getByRole('button', { name: 'Open', exact: true }));
      await page
        .getByRole('heading', { level: 1, name: 'Clip of Cup final' })
        .waitFor({ timeout: TIMEOUT_MS });
    },
  },
];

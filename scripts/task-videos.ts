import { type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { root } from './checks/step';
import {
  createStream,
  waitUntilPlaying,
  readJson,
  signUp,
  waitUntil,
  waitUntilLive,
  upload,
} from './recording/dashboard-session';
import { createSourceVideo, startEncoder, startReceiver } from './recording/encoder';
import { withRecordedService } from './recording/recorded-service';
import { encodeFrames, listFrames, startScreencast } from './recording/screencast';
import { Clicks, showClicks } from './recording/show-clicks';
import { findFreePort } from './service/ports';

const documentPath = join(root, 'docs', 'tasks.md');
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };
const FRAMES_PER_SECOND = 4;
/** Timeout for a stream, target or clip to become live or ready. */
const TIMEOUT_MS = 120_000;

const log = (line: string) => void process.stderr.write(`${line}\n`);

interface TaskContext {
  readonly browser: Browser;
  readonly baseURL: string;
  /** The signed-in page. */
  readonly page: Page;
  /** Streams the test video to the stream with this key. */
  readonly publish: (key: string) => ChildProcess;
  /**
   * Starts another service.
   * @returns its RTMP URL with a stream key
   */
  readonly receive: () => Promise<string>;
  /** The test video. */
  readonly source: string;
}

interface Task {
  /** Name of the image, and of the row in docs/tasks.md. */
  readonly name: string;
  readonly size: typeof desktop;
  /**
   * Creates the objects that the task needs, before the recording starts.
   * @returns the path of the first page
   */
  readonly prepare: (context: TaskContext) => Promise<string>;
  /** Does the task, click by click, while the page is recorded. */
  readonly run: (clicks: Clicks, context: TaskContext) => Promise<void>;
}

/** `npm run task-videos`: records the tasks of docs/tasks.md with a temporary service, and counts their clicks. */
export default async function taskVideos(args: readonly string[] = []): Promise<void> {
  const chosenTasks = args.length > 0 ? tasks.filter(({ name }) => args.includes(name)) : tasks;
  await withRecordedService(log, async ({ folder, browser, baseURL, rtmpUrl, signal }) => {
    const source = await createSourceVideo(folder, log, signal);
    const children: ChildProcess[] = [];
    const publish = (key: string) => {
      const encoder = startEncoder(source, `${rtmpUrl}/${key}`);
      children.push(encoder);
      return encoder;
    };
    const receive = async () => {
      const port = await findFreePort();
      children.push(startReceiver(port));
      return `rtmp://127.0.0.1:${port}/live/example-key`;
    };
    try {
      const browserContext = await browser.newContext({
        viewport: desktop,
        colorScheme: 'light',
        baseURL,
        permissions: ['camera', 'microphone', 'clipboard-read', 'clipboard-write'],
      });
      await showClicks(browserContext);
      const page = await browserContext.newPage();
      // A live page asks before it is left.
      page.on('dialog', (dialog) => void dialog.accept());
      await signUp(page);
      for (const task of chosenTasks) {
        const context = { browser, baseURL, page, publish, receive, source };
        await recordTask(task, context, folder, signal);
        for (const child of children.splice(0)) child.kill('SIGKILL');
      }
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
}

async function recordTask(
  task: Task,
  context: TaskContext,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { page } = context;
  const { name, size } = task;
  await page.setViewportSize(size);
  const startPath = await task.prepare(context);
  await page.goto(startPath);
  await page.locator('main[aria-busy="false"]').waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  // Time in which lists replace their placeholders.
  await sleep(1_500);
  const clicks = new Clicks(page);
  const stop = await startScreencast(page, folder, name);
  await task.run(clicks, context);
  await sleep(2_500);
  const list = await listFrames(folder, await stop(), 1);
  const filters = `fps=${FRAMES_PER_SECOND},scale=${size === phone ? 300 : 880}:-1:flags=lanczos`;
  const output = [
    '-vf',
    filters,
    '-c:v',
    'libwebp_anim',
    '-quality',
    '75',
    '-compression_level',
    '5',
    '-loop',
    '0',
  ];
  await encodeFrames({ list, output, path: join(root, 'docs', 'images', `task-${name}.webp`), log, signal });
  await writeCount(name, clicks.count);
  log(`${name}: ${clicks.count} clicks`);
}

/** Writes the number of clicks into docs/tasks.md. */
async function writeCount(name: string, count: number): Promise<void> {
  const text = await readFile(documentPath, 'utf8');
  const pattern = new RegExp(`(<!-- clicks:${name} -->)[^\\n]*`);
  if (!pattern.test(text)) throw new Error(`docs/tasks.md does not count the clicks of ${name}`);
  await writeFile(documentPath, text.replace(pattern, `$1 ${count} clicks`));
}

async function addTarget(clicks: Clicks, url: string, name: string): Promise<void> {
  const { page } = clicks;
  await clicks.click(
    page.getByRole('region', { name: 'Targets' }).getByRole('button', { name: 'Add target' }),
  );
  const dialog = page.getByRole('dialog');
  await clicks.click(dialog.getByRole('radio', { name: 'Custom' }));
  await clicks.type(dialog.getByLabel('URL'), url);
  await clicks.type(dialog.getByLabel('Name (optional)'), name);
  await clicks.click(dialog.getByRole('button', { name: 'Create target' }));
  await dialog.waitFor({ state: 'detached' });
}

const tasks: readonly Task[] = [
  {
    name: 'go-live-from-a-phone',
    size: phone,
    prepare: () => Promise.resolve('/streams'),
    run: async (clicks) => {
      const { page } = clicks;
      await clicks.click(page.getByRole('button', { name: 'Create stream' }).first());
      const dialog = page.getByRole('dialog', { name: 'Create stream' });
      await clicks.type(dialog.getByLabel('Name'), 'Street concert');
      await clicks.click(dialog.getByRole('button', { name: 'Create stream' }));
      await clicks.click(page.getByRole('link', { name: 'Go live from this browser' }));
      await clicks.click(page.getByRole('button', { name: 'Use camera and microphone' }));
      await clicks.click(page.getByRole('button', { name: 'Go live', exact: true }));
      await page
        .getByRole('status')
        .filter({ hasText: /^Live$/ })
        .waitFor({ timeout: TIMEOUT_MS });
      await sleep(3_000);
    },
  },
  {
    name: 'find-out-why-a-viewer-stutters',
    size: desktop,
    prepare: async ({ page, browser, baseURL, publish }) => {
      const stream = await createStream(page, 'Harbour camera');
      const encoder = publish(stream.streamKey);
      const viewer = await browser.newContext({ baseURL });
      const viewerPage = await viewer.newPage();
      await waitUntilLive(page, stream.id);
      await viewerPage.goto(`/watch/${stream.playbackId}`);
      await waitUntilPlaying(viewerPage);
      await sleep(20_000);
      // The encoder sends nothing for a while, like on a bad uplink.
      encoder.kill('SIGSTOP');
      await sleep(9_000);
      encoder.kill('SIGCONT');
      interface Incidents {
        readonly incidents: readonly unknown[];
      }
      const audience = () => readJson<Incidents>(page, `/api/data/audience?streamId=${stream.id}`);
      await waitUntil(async () => (await audience()).incidents.length > 0, 'a cause of stalls');
      return '/streams';
    },
    run: async (clicks) => {
      const { page } = clicks;
      await clicks.click(page.getByRole('link', { name: 'Harbour camera' }).first());
      await clicks.click(page.getByRole('tab', { name: 'Audience' }));
      await page.getByRole('img', { name: 'Stalled' }).waitFor();
      await sleep(3_000);
    },
  },
  {
    name: 'give-one-person-access-to-one-video',
    size: desktop,
    prepare: async ({ page, source }) => {
      await upload(page, source, 'Board meeting');
      return '/assets';
    },
    run: async (clicks) => {
      const { page } = clicks;
      await clicks.click(page.getByRole('link', { name: 'Board meeting' }).first());
      await clicks.click(page.getByRole('tab', { name: 'Sharing & access' }));
      const access = page.getByRole('region', { name: 'Who can watch' });
      await clicks.click(access.getByRole('radio', { name: /^Signed token/ }));
      await clicks.click(access.getByRole('button', { name: 'Save' }));
      await clicks.click(page.getByRole('button', { name: 'Create link' }));
      await clicks.click(page.getByRole('button', { name: 'Copy watch page with token' }));
      await sleep(1_500);
      // The person with the link watches.
      await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
      await waitUntilPlaying(page);
      await sleep(2_000);
    },
  },
  {
    name: 'restream-to-two-places',
    size: desktop,
    prepare: async ({ page, publish }) => {
      const stream = await createStream(page, 'Town hall');
      publish(stream.streamKey);
      await waitUntilLive(page, stream.id);
      return `/streams/${stream.id}`;
    },
    run: async (clicks, { page, receive }) => {
      for (const name of ['City website', 'School']) await addTarget(clicks, await receive(), name);
      const panel = page.getByRole('region', { name: 'Targets' });
      for (const name of ['City website', 'School'])
        await panel
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText('Live')
          .waitFor({ timeout: TIMEOUT_MS });
      await sleep(2_000);
    },
  },
  {
    name: 'clip-a-highlight',
    size: desktop,
    prepare: async ({ page, source }) => `/assets/${(await upload(page, source, 'Cup final')).id}`,
    run: async (clicks) => {
      const { page } = clicks;
      await clicks.click(page.getByRole('button', { name: 'Play', exact: true }).first());
      await waitUntilPlaying(page);
      await sleep(5_000);
      await clicks.click(page.getByRole('button', { name: 'Clip', exact: true }));
      const editor = page.getByRole('region', { name: 'New clip' });
      await clicks.click(editor.getByRole('button', { name: 'End here' }));
      await clicks.click(editor.getByRole('button', { name: 'Create clip' }));
      await clicks.click(page.getByRole('button', { name: 'Open', exact: true }));
      await page
        .getByRole('heading', { level: 1, name: 'Clip of Cup final' })
        .waitFor({ timeout: TIMEOUT_MS });
    },
  },
];

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import type { GuideStep, TaskGuide } from '@/components/docs/guides/guide-steps';
import { taskGuides } from '@/components/docs/guides/task-guides';
import { makeAccount, makeKey } from '../accounts';
import { streamsWithTargets, urlOf } from '../media/testing/targets';

/** Runs each guide unchanged, in an empty folder, with a new key, against the running service. */

const setting = (name: string): string => process.env[name] ?? '';
const guides = taskGuides({
  baseUrl: setting('BASE_URL'),
  cdnUrl: setting('CDN_URL'),
  rtmpUrl: setting('RTMP_URL'),
});
const guideOf = (id: string): TaskGuide => {
  const guide = guides.find((each) => each.id === id);
  if (!guide) throw new Error(`no guide ${id}`);
  return guide;
};

const { sink } = streamsWithTargets();
let folder = '';
const running: ChildProcess[] = [];
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  // Replaces `npm install`.
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
test.afterEach(async () => {
  for (const { pid } of running.splice(0)) if (pid !== undefined) end(pid);
  await rm(folder, { recursive: true, force: true });
});

/** The whole process group, so that child processes end as well. */
function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/**
 * Runs the commands of a guide in one shell. A step that keeps running continues beside the later steps.
 * @returns the output of all steps
 */
async function follow(guide: TaskGuide, variables: Record<string, string>): Promise<string> {
  for (const { file, code } of guide.steps) if (file !== undefined) await writeFile(join(folder, file), code);
  const shell = ({ code, isRunning }: GuideStep) => (isRunning ? `( ${code}\n) &` : code);
  const script = guide.steps.filter(({ file }) => file === undefined).map(shell);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...variables },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code, output).toBe(0);
  return output;
}

const newKey = async () => makeKey((await makeAccount()).id);

test('go live', async () => {
  const output = await follow(guideOf('go-live'), { HEADWATER_API_KEY: await newKey() });
  expect(output).toContain(`${setting('BASE_URL')}/watch/`);
  expect(output).toContain('#EXTM3U');
});

test('upload from a browser', async ({ page }) => {
  const port = await freePort();
  const film = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '2', '-pix_fmt', 'yuv420p'];
  await once(spawn('ffmpeg', ['-v', 'error', ...source, film]), 'exit');
  await follow(guideOf('upload-from-a-browser'), { HEADWATER_API_KEY: await newKey(), PORT: `${port}` });
  await expect(async () => {
    await page.goto(`http://localhost:${port}`);
  }).toPass();
  await page.setInputFiles('input', film);
  await expect(page.getByRole('status')).toContainText('Uploaded ');
});

test('sign playback', async () => {
  const output = await follow(guideOf('sign-playback'), { HEADWATER_API_KEY: await newKey() });
  expect(output.match(/^\d{3}$/gm)).toEqual(['403', '404']);
});

test('receive a webhook', async () => {
  const port = `${await freePort()}`;
  const url = `http://127.0.0.1:${port}/hook`;
  const variables = { HEADWATER_API_KEY: await newKey(), PORT: port, WEBHOOK_URL: url };
  expect(await follow(guideOf('receive-a-webhook'), variables)).toContain('asset.created');
});

test('restream', async () => {
  const platform = await sink();
  const variables = {
    HEADWATER_API_KEY: await newKey(),
    TARGET_URL: urlOf(platform.port, 'good-secret-key'),
  };
  expect(await follow(guideOf('restream'), variables)).toContain('"connected"');
});

test('every guide is tested here', () => {
  expect(guides.map(({ id }) => id)).toEqual([
    ...['go-live', 'upload-from-a-browser', 'sign-playback', 'receive-a-webhook', 'restream'],
  ]);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import type { GuideStep, TaskGuide } from '@/components/docs/guides/guide-steps';
import { taskGuides } from '@/components/docs/guides/task-guides';
import { makeAccount, makeApiKey } from '../accounts';
import { setUpTargetTests, targetUrlOf } from '../media/testing/targets';

// Runs each guide unchanged in an empty folder with a new API key, against the running service.

const readEnvironment = (name: string): string => process.env[name] ?? '';
const guides = taskGuides({
  baseUrl: readEnvironment('BASE_URL'),
  cdnUrl: readEnvironment('CDN_URL'),
  rtmpUrl: readEnvironment('RTMP_URL'),
});
const findGuide = (id: string): TaskGuide => {
  const guide = guides.find((candidate) => candidate.id === id);
  if (!guide) throw new Error(`There is no guide ${id}`);
  return guide;
};

const { startTarget } = setUpTargetTests();
let folder = '';
const guideProcesses: ChildProcess[] = [];
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  // The link replaces `npm install`.
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
test.afterEach(async () => {
  for (const { pid } of guideProcesses.splice(0)) if (pid !== undefined) killGroup(pid);
  await rm(folder, { recursive: true, force: true });
});

/** Kills a process group, so that child processes end too. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/**
 * Writes the files of a guide and runs its commands in one shell. A step that keeps running continues in the background.
 * @returns the output of all steps
 */
async function runGuide(guide: TaskGuide, variables: Record<string, string>): Promise<string> {
  for (const { fileName, code } of guide.steps)
    if (fileName !== undefined) await writeFile(join(folder, fileName), code);
  const toShellCommand = ({ code, keepsRunning }: GuideStep) => (keepsRunning ? `( ${code}\n) &` : code);
  const script = guide.steps.filter(({ fileName }) => fileName === undefined).map(toShellCommand);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...variables },
  });
  guideProcesses.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code, output).toBe(0);
  return output;
}

const createNewKey = async () => makeApiKey((await makeAccount()).id);

test('the guide “go live” prints the URL of a watch page and a playlist', async () => {
  const output = await runGuide(findGuide('go-live'), { HEADWATER_API_KEY: await createNewKey() });
  expect(output).toContain(`${readEnvironment('BASE_URL')}/watch/`);
  expect(output).toContain('#EXTM3U');
});

test('the guide “upload from a browser” uploads a file from its page', async ({ page }) => {
  const port = await findFreePort();
  const filePath = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '2', '-pix_fmt', 'yuv420p'];
  await once(spawn('ffmpeg', ['-v', 'error', ...source, filePath]), 'exit');
  await runGuide(findGuide('upload-from-a-browser'), {
    HEADWATER_API_KEY: await createNewKey(),
    PORT: `${port}`,
  });
  // The server of the guide may not listen yet.
  await expect(async () => {
    await page.goto(`http://localhost:${port}`);
  }).toPass();
  await page.setInputFiles('input', filePath);
  await expect(page.getByRole('status')).toContainText('Uploaded ');
});

test('the guide “sign playback” prints the statuses 403 and 404', async () => {
  const output = await runGuide(findGuide('sign-playback'), { HEADWATER_API_KEY: await createNewKey() });
  expect(output.match(/^\d{3}$/gm)).toEqual(['403', '404']);
});

test('the guide “receive a webhook” receives asset.created', async () => {
  const port = `${await findFreePort()}`;
  const url = `http://127.0.0.1:${port}/hook`;
  const variables = { HEADWATER_API_KEY: await createNewKey(), PORT: port, WEBHOOK_URL: url };
  expect(await runGuide(findGuide('receive-a-webhook'), variables)).toContain('asset.created');
});

test('the guide “restream” connects a multistream target', async () => {
  const target = await startTarget();
  const variables = {
    HEADWATER_API_KEY: await createNewKey(),
    TARGET_URL: targetUrlOf(target.port, 'good-secret-key'),
  };
  expect(await runGuide(findGuide('restream'), variables)).toContain('"connected"');
});

test('there are no guides other than the five that the tests above run', () => {
  const testedIds = ['go-live', 'upload-from-a-browser', 'sign-playback', 'receive-a-webhook', 'restream'];
  expect(guides.map(({ id }) => id)).toEqual(testedIds);
});

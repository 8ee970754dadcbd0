import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** Work with the API in the session of a page, for scripts that record the product. */

const TIMEOUT_MS = 120_000;
const execFileAsync = promisify(execFile);

export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string;
  readonly playbackId: string;
  /** Present if the stream was created with `backup`. */
  readonly backupStreamKey?: string;
}

const PASSWORD = 'quiet river stones 42';

export async function signUp(page: Page): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Create my first stream' }).waitFor();
}

/**
 * Creates the account of an operator on the command line, as operators do, and logs in.
 * @param environment environment of the running service, with this address in `OPERATOR_EMAILS`
 */
export async function logInAsOperator(
  page: Page,
  email: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const command = ['scripts/bootstrap.mjs', 'cli', 'account:create', '--email', email, '--password-stdin'];
  const child = execFileAsync(process.execPath, command, { env: { ...process.env, ...environment } });
  child.child.stdin?.end(PASSWORD);
  await child;
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Create my first stream' }).waitFor();
}

/**
 * Sends a request in the session of the page.
 * @returns the body of the response; null if it has none
 */
export async function sendJson<T = null>(
  page: Page,
  path: string,
  data: object,
  method: 'POST' | 'PATCH' | 'PUT' = 'POST',
): Promise<T> {
  const { origin } = new URL(page.url());
  const response = await page.request.fetch(path, { method, data, headers: { origin } });
  const text = await response.text();
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

export const createStream = (page: Page, name: string, more: object = {}) =>
  sendJson<CreatedStream>(page, '/api/stream', { name, record: true, ...more });

export async function readJson<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(path)).json()) as T;
}

/**
 * Waits until the condition is met.
 * @throws Error after two minutes
 */
export async function waitUntil(condition: () => Promise<boolean>, description: string): Promise<void> {
  const endsAt = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`timed out: ${description}`);
    await sleep(500);
  }
}

export async function waitUntilLive(page: Page, id: string): Promise<void> {
  await waitUntil(
    async () => (await readJson<{ isActive: boolean }>(page, `/api/stream/${id}`)).isActive,
    'a live stream',
  );
}

interface Upload {
  readonly url: string;
  readonly asset: { readonly id: string; readonly playbackId: string };
}

/**
 * Uploads a file, and waits until its asset is ready or failed.
 * @param phase phase to wait for
 * @returns the asset
 */
export async function upload(
  page: Page,
  file: string,
  name: string,
  phase: 'ready' | 'failed' = 'ready',
): Promise<Upload['asset']> {
  const { url, asset } = await sendJson<Upload>(page, '/api/asset/request-upload', { name });
  await fetch(url, { method: 'PUT', body: await openAsBlob(file) });
  const readPhase = async () =>
    (await readJson<{ status: { phase: string } }>(page, `/api/asset/${asset.id}`)).status.phase;
  await waitUntil(async () => (await readPhase()) === phase, `the asset ${name}`);
  return asset;
}

export const waitUntilPlaying = (page: Page) =>
  page.locator('[data-phase="playing"]').waitFor({ timeout: TIMEOUT_MS });

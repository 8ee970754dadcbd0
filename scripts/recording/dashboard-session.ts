import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** Functions that use the dashboard and the API in the sign-in session of a page, for scripts that record the product. */

/** Timeout of each wait for the service. */
const TIMEOUT_MS = 120_000;
const execFileAsync = promisify(execFile);

export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string;
  readonly playbackId: string;
  /** Present if the stream was created with `backup`. */
  readonly backupStreamKey?: string;
}

/** Password of all accounts of a recording. Their service is temporary. */
const PASSWORD = 'quiet river stones 42';

/** Creates an account on the sign-up page, and waits until its dashboard is shown. */
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
  const whenCreated = execFileAsync(process.execPath, command, { env: { ...process.env, ...environment } });
  whenCreated.child.stdin?.end(PASSWORD);
  await whenCreated;
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Create my first stream' }).waitFor();
}

/**
 * Sends a request with a JSON body in the sign-in session of the page.
 * @returns the JSON body of the response; null if it has none
 * @throws Error if the status is not 2xx
 */
export async function sendJson<T = null>(
  page: Page,
  path: string,
  body: object,
  method: 'POST' | 'PATCH' | 'PUT' = 'POST',
): Promise<T> {
  // Requests that change data must have the origin of the dashboard.
  const { origin } = new URL(page.url());
  const response = await page.request.fetch(path, { method, data: body, headers: { origin } });
  const responseText = await response.text();
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${responseText}`);
  return (responseText === '' ? null : JSON.parse(responseText)) as T;
}

/**
 * Creates a stream whose sessions are recorded.
 * @param furtherFields other fields of the request
 */
export const createStream = (page: Page, name: string, furtherFields: object = {}) =>
  sendJson<CreatedStream>(page, '/api/stream', { name, record: true, ...furtherFields });

/** Requests a path in the sign-in session of the page, and returns the JSON body of the response. */
export async function getJson<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(path)).json()) as T;
}

/**
 * Waits until the condition is met.
 * @param description what is waited for, for the error message
 * @throws Error after two minutes
 */
export async function waitUntil(condition: () => Promise<boolean>, description: string): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`timed out: ${description}`);
    await sleep(500);
  }
}

export async function waitUntilLive(page: Page, streamId: string): Promise<void> {
  await waitUntil(
    async () => (await getJson<{ isActive: boolean }>(page, `/api/stream/${streamId}`)).isActive,
    'a live stream',
  );
}

interface RequestedUpload {
  /** Accepts the file in one PUT request. */
  readonly url: string;
  readonly asset: { readonly id: string; readonly playbackId: string };
}

/**
 * Uploads a file, and waits until its asset is ready or has failed.
 * @param finalPhase phase to wait for
 * @returns the asset
 */
export async function uploadFile(
  page: Page,
  filePath: string,
  assetName: string,
  finalPhase: 'ready' | 'failed' = 'ready',
): Promise<RequestedUpload['asset']> {
  const { url, asset } = await sendJson<RequestedUpload>(page, '/api/asset/request-upload', {
    name: assetName,
  });
  await fetch(url, { method: 'PUT', body: await openAsBlob(filePath) });
  const readPhase = async () =>
    (await getJson<{ status: { phase: string } }>(page, `/api/asset/${asset.id}`)).status.phase;
  await waitUntil(async () => (await readPhase()) === finalPhase, `the asset ${assetName}`);
  return asset;
}

/** Waits until a player on the page plays. */
export const waitUntilPlaying = (page: Page) =>
  page.locator('[data-phase="playing"]').waitFor({ timeout: TIMEOUT_MS });

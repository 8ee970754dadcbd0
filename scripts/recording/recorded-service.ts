import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { ensureChromium } from '../checks/chromium';
import { startTestService } from '../checks/test-service';
import { generateClient } from '../generate';
import { ensureFfmpeg } from '../service/ffmpeg';

interface RecordedService {
  /** Path of a temporary folder, which is deleted at the end. */
  readonly folder: string;
  readonly browser: Browser;
  readonly baseURL: string;
  /** RTMP URL without the stream key. */
  readonly rtmpUrl: string;
  /** Environment of the running service, for the command line. */
  readonly environment: Readonly<Record<string, string>>;
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Reconnect window. It is short, because a recording is ready only after it. */
const RECONNECT_SECONDS = '5';

/**
 * Runs `record` with a temporary service and a browser that has a test camera, and stops both at the end.
 * @param settings further environment variables of the service
 */
export async function withRecordedService(
  log: (line: string) => void,
  record: (service: RecordedService) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  const folder = await mkdtemp(join(tmpdir(), 'headwater-images-'));
  try {
    await generateClient(log);
    await ensureFfmpeg(log, signal);
    const executablePath = await ensureChromium(log, signal);
    log('Building and starting the service …');
    const service = await startTestService(folder, signal, {
      issuer: false,
      settings: { SESSION_RECONNECT_SECONDS: RECONNECT_SECONDS, ...settings },
    });
    try {
      const browser = await chromium.launch({
        ...(executablePath ? { executablePath } : {}),
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--autoplay-policy=no-user-gesture-required',
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
        ],
      });
      try {
        const { BASE_URL: baseURL = '', RTMP_URL: rtmpUrl = '' } = service.environment;
        await record({ folder, browser, baseURL, rtmpUrl, environment: service.environment, signal });
      } finally {
        await browser.close();
      }
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

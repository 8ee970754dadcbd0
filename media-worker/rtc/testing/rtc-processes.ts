import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Settings } from '@/lib/infra/env';
import { killAndWait, startWorkerProcess } from '@/media-worker/vod/tasks/testing/jobs-process';

/** The processes that a WebRTC publisher uses: rtc, live and origin of one machine, as in production. */
export interface RtcProcesses {
  /** Public URL of the origin. */
  readonly url: string;
  readonly rtcPort: number;
  /** RTMP URL without the stream key. */
  readonly rtmpUrl: string;
  /** Returns the process id of the current rtc process. */
  rtcPid(): number;
  /**
   * Ends the rtc process and starts it again, like its supervisor.
   * @param signal absent: SIGKILL
   */
  restartRtc(signal?: NodeJS.Signals): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts the processes.
 * @param searchPath PATH on which the processes find ffmpeg
 * @param variables additional environment variables
 */
export async function startRtcProcesses(
  { databaseUrl, dataDir, appSecret }: Settings,
  searchPath: string | undefined,
  variables: Readonly<Record<string, string>> = {},
): Promise<RtcProcesses> {
  const [rtmpPort, mediaPort, rtcPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreeUdpPort(),
  ];
  const env = {
    PATH: searchPath,
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    RTMP_PORT: String(rtmpPort),
    MEDIA_PORT: String(mediaPort),
    RTC_PORT: String(rtcPort),
    LIVE_PROCESSES: '1',
    ORIGIN_PROCESSES: '1',
    // The targets of the tests are on this machine.
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    ...variables,
  };
  const otherProcesses = [startWorkerProcess('live', env), startWorkerProcess('origin', env)];
  let rtc: ChildProcess = startWorkerProcess('rtc', env);
  return {
    url: `http://127.0.0.1:${mediaPort}`,
    rtcPort,
    rtmpUrl: `rtmp://127.0.0.1:${rtmpPort}/live/`,
    rtcPid: () => rtc.pid ?? 0,
    restartRtc: async (signal = 'SIGKILL') => {
      const whenEnded = once(rtc, 'exit');
      rtc.kill(signal);
      await whenEnded;
      rtc = startWorkerProcess('rtc', env);
    },
    end: async () => {
      for (const child of [rtc, ...otherProcesses]) await killAndWait(child);
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function findFreeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../bench/lib/scope';
import { RecordingAudit } from './audit/recordings';
import { faultSequence } from './faults';
import { Journal } from './journal';
import { Ledger } from './ledger';
import { ApiClient } from './load/api-client';
import { createCounters } from './load/counters';
import { RemoteServers } from './load/remote-servers';
import { RECONNECT_SECONDS } from './load/publisher';
import { makeMedia } from './media/make-media';
import { readOptions, type Options } from './options';
import { createApiKey, prepareStreams, PUBLISHED_STREAM_COUNT } from './prepare';
import { Random } from './random';
import { formatRound } from './report';
import { runRound, type RunContext } from './round';
import { findFreePorts } from './service/ports';
import { S3Process } from './service/s3-process';
import { Service } from './service/service';
import { listFiles, openLocalFiles, openS3Files } from './service/stored-files';

/**
 * npm run faults -- [options]
 *
 * Starts the service with a temporary data folder on the loopback interface, puts it under load while it kills and
 * freezes its processes, and then compares what the service acknowledged with what it has stored.
 */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const scope = new Scope();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void scope.close().finally(() => process.exit(1)));
  const directory = await mkdtemp(join(tmpdir(), 'headwater-faults-'));
  const journal = new Journal(directory);
  let finished = false;
  scope.defer(async () => {
    if (finished && journal.problems.length === 0 && !options.keep)
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    else console.log(`Logs, ledger and data: ${directory}`);
  });
  try {
    await runRounds(options, scope, journal);
    finished = true;
  } finally {
    await scope.close();
  }
  if (journal.problems.length > 0) process.exitCode = 1;
}

async function runRounds(options: Options, scope: Scope, journal: Journal): Promise<void> {
  const random = new Random(options.seed);
  const context = await startServices(options, scope, journal, random);
  for (let round = 1; round <= options.rounds; round += 1)
    console.log(`\n${formatRound(await runRound(context, round))}\n`);
  await stopService(context.stage.service, journal);
  for (const { message, id } of journal.problems) console.log(`- ${message}: ${id}`);
  console.log(`${options.rounds} rounds, ${journal.problems.length} problems`);
}

async function startServices(
  options: Options,
  scope: Scope,
  journal: Journal,
  random: Random,
): Promise<RunContext> {
  const { directory } = journal;
  const [port = 0, mediaPort = 0, rtmpPort = 0, remotePort = 0, s3Port = 0, ...targetPorts] =
    await findFreePorts(7, random);
  journal.log(`seed ${options.seed}, storage ${options.storage}, ${directory}`);
  // Sources are longer than a round, because freezes and restarts extend it.
  const media = await makeMedia(directory, PUBLISHED_STREAM_COUNT, Math.min(240, options.roundSeconds + 100));
  const s3 = options.storage === 's3' ? new S3Process(directory, s3Port) : undefined;
  if (s3) {
    scope.defer(() => s3.stop());
    await s3.start();
  }
  // Each user of random numbers has its own sequence. How many the others take depends on timing, and must not change the faults.
  const remote = new RemoteServers(journal, remotePort, new Random(options.seed + 2));
  await remote.listen();
  scope.defer(() => remote.close());
  const service = new Service(
    journal,
    directory,
    { port, mediaPort, rtmpPort },
    {
      SESSION_RECONNECT_SECONDS: String(RECONNECT_SECONDS),
      // Shortens the retry window of a delivery to 90 s.
      WEBHOOK_RETRY_BASE_MS: '500',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      API_RATE_LIMIT: '10000000',
      ...s3?.environment,
    },
  );
  scope.defer(() => service.killAll());
  journal.log('starting the service; the first start also builds');
  await service.startAndWait();
  const ledger = new Ledger(journal);
  const api = new ApiClient(service.apiUrl, await createApiKey(service), journal, createCounters());
  const targetUrls = targetPorts.map((targetPort) => `rtmp://127.0.0.1:${targetPort}/app/key`);
  const streams = await prepareStreams(api, ledger, remote, targetUrls);
  const files = s3 ? openS3Files(s3.settings) : openLocalFiles(service.dataDir);
  scope.defer(() => files.close());
  const stage = {
    options,
    random: new Random(options.seed + 1),
    journal,
    ledger,
    service,
    api,
    remote,
    media,
    files,
    s3,
    streams,
  };
  const faults = faultSequence(options, random);
  return { stage, random, faults, recordings: new RecordingAudit(stage), targetUrls };
}

/** Stops the service and reports processes and temporary files that it leaves behind. */
async function stopService(service: Service, journal: Journal): Promise<void> {
  await service.stop();
  for (const stray of service.findStrayProcesses())
    journal.reportProblem(
      'a process outlived the service',
      String(stray.pid),
      stray.args.join(' ').slice(0, 200),
    );
  // tsx keeps its compile cache for the next start.
  const remainingFiles = (await listFiles(service.temporaryDir)).filter(
    ({ path }) => !path.includes('/tsx-'),
  );
  for (const { path } of remainingFiles) journal.reportProblem('a temporary file was left behind', path);
}

await main();

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../bench/lib/scope';
import { RecordingAudit } from './audit/recordings';
import { faultSequence } from './faults';
import { Journal } from './journal';
import { Ledger } from './ledger';
import { ApiClient } from './load/api-client';
import { noCounts } from './load/counters';
import { RemoteServers } from './load/remote-servers';
import { reconnectSeconds } from './load/publisher';
import { makeMedia } from './media/make-media';
import { readOptions, type Options } from './options';
import { createKey, prepare, publishedStreams } from './prepare';
import { Random } from './random';
import { roundTable } from './report';
import { runRound, type Rounds } from './round';
import { freePorts } from './service/ports';
import { S3Process } from './service/s3-process';
import { Service } from './service/service';
import { filesBelow, localFiles, s3Files } from './service/stored-files';

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
    await run(options, scope, journal);
    finished = true;
  } finally {
    await scope.close();
  }
  if (journal.problems.length > 0) process.exitCode = 1;
}

async function run(options: Options, scope: Scope, journal: Journal): Promise<void> {
  const random = new Random(options.seed);
  const rounds = await setUp(options, scope, journal, random);
  for (let round = 1; round <= options.rounds; round += 1)
    console.log(`\n${roundTable(await runRound(rounds, round))}\n`);
  await stopService(rounds.stage.service, journal);
  for (const { what, id } of journal.problems) console.log(`- ${what}: ${id}`);
  console.log(`${options.rounds} rounds, ${journal.problems.length} problems`);
}

async function setUp(options: Options, scope: Scope, journal: Journal, random: Random): Promise<Rounds> {
  const { directory } = journal;
  const [port = 0, mediaPort = 0, rtmpPort = 0, remotePort = 0, s3Port = 0, ...targetPorts] = await freePorts(
    7,
    random,
  );
  journal.say(`seed ${options.seed}, storage ${options.storage}, ${directory}`);
  // Freezes and restarts make a round longer than its load.
  const media = await makeMedia(directory, publishedStreams, Math.min(240, options.roundSeconds + 100));
  const s3 = options.storage === 's3' ? new S3Process(directory, s3Port) : undefined;
  if (s3) {
    scope.defer(() => s3.stop());
    await s3.start();
  }
  const remote = new RemoteServers(journal, remotePort, new Random(options.seed + 2));
  await remote.listen();
  scope.defer(() => remote.close());
  const service = new Service(
    journal,
    directory,
    { port, mediaPort, rtmpPort },
    {
      SESSION_RECONNECT_SECONDS: String(reconnectSeconds),
      // Shortens the retry window of a delivery to 90 s.
      WEBHOOK_RETRY_BASE_MS: '500',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      API_RATE_LIMIT: '10000000',
      ...s3?.variables,
    },
  );
  scope.defer(() => service.killAll());
  journal.say('starting the service; the first start also builds');
  await service.startFirst();
  const ledger = new Ledger(journal);
  const api = new ApiClient(service.apiUrl, await createKey(service), journal, noCounts());
  const targetUrls = targetPorts.map((targetPort) => `rtmp://127.0.0.1:${targetPort}/app/key`);
  const streams = await prepare(api, ledger, remote, targetUrls);
  const files = s3 ? s3Files(s3.settings) : localFiles(service.dataDir);
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

/** Stops the service and checks that it leaves no processes and temporary files. */
async function stopService(service: Service, journal: Journal): Promise<void> {
  await service.stop();
  for (const stray of service.strays())
    journal.problem('a process outlived the service', String(stray.pid), stray.args.join(' ').slice(0, 200));
  // tsx keeps its compile cache for the next start.
  const filesLeft = (await filesBelow(service.temporaryDir)).filter(({ path }) => !path.includes('/tsx-'));
  for (const { path } of filesLeft) journal.problem('a temporary file was left behind', path);
}

await main();

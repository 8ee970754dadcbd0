import { startS3Server } from '@/lib/infra/storage/testing/s3-server';

/**
 * Serves a bucket from a folder in a separate process, which can be frozen and killed:
 * `tsx e2e/faults/service/s3-server.ts <folder> <port> <bucket> [host]`
 */
const [directory = '', port = '', bucket = '', host = '127.0.0.1'] = process.argv.slice(2);
const server = await startS3Server(bucket, { directory, port: Number(port), host });
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));

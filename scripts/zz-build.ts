import { buildMediaWorker } from './service/build';
await buildMediaWorker((l) => console.log(l), new AbortController().signal);

import type { PinningCredentials } from '@/lib/core/export-params';
import { postFile, type FileToPost } from './post-file';
import { ServiceFault, TaskFailure, type TaskJob } from './task-job';

const contentIdShape = /^[A-Za-z0-9]{20,128}$/;

/**
 * Sends a file to a pinning service and returns its CID.
 * @throws TaskFailure where another try would end the same way, such as for wrong credentials
 */
export async function pinFile(
  job: TaskJob,
  credentials: PinningCredentials,
  file: FileToPost,
): Promise<string> {
  const answer = await postFile(job, {
    who: 'the pinning service',
    ours: false,
    url: `${job.ctx.settings.ipfsPinningUrl}/pinning/pinFileToIPFS`,
    headers: credentialHeaders(credentials),
    fields: {
      pinataOptions: { cidVersion: 1 },
      pinataMetadata: { name: file.name, keyvalues: { createdBy: 'headwater' } },
    },
    file,
  });
  const { IpfsHash: cid } = fieldsOf(answer);
  if (typeof cid === 'string' && contentIdShape.test(cid)) return cid;
  throw new TaskFailure('the pinning service did not say where the file is');
}

/**
 * Adds a file to the operator's own Kubo node, and pins it there.
 * @param cid what the node must call it: it is told to cut the file exactly as we do
 * @throws ServiceFault also when the node calls it something else
 */
export async function addToNode(
  job: TaskJob,
  apiUrl: string,
  { file, cid }: { readonly file: FileToPost; readonly cid: () => Promise<string> },
): Promise<void> {
  const options = 'cid-version=1&raw-leaves=true&chunker=size-262144&pin=true&progress=false';
  const answer = await postFile(job, {
    who: 'the IPFS node',
    ours: true,
    url: `${apiUrl}/api/v0/add?${options}`,
    headers: {},
    fields: {},
    file,
  });
  // A line for each file, and an error in the middle of it is a line too.
  const { Hash: theirs, Message: error } = fieldsOf(answer.trim().split('\n').at(-1) ?? '');
  if (typeof theirs !== 'string') {
    const said = typeof error === 'string' ? `: ${error.slice(0, 200)}` : '';
    throw new ServiceFault(`the IPFS node did not add the file${said}`);
  }
  const ours = await cid();
  if (theirs === ours) return;
  throw new ServiceFault(`the IPFS node calls the file ${theirs.slice(0, 128)}, but its bytes are ${ours}`);
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Generic header names, and those that Pinata reads. */
function credentialHeaders(credentials: PinningCredentials): Record<string, string> {
  if ('jwt' in credentials) return { authorization: `Bearer ${credentials.jwt}` };
  const { apiKey, apiSecret } = credentials;
  return {
    pinning_api_key: apiKey,
    pinning_secret_api_key: apiSecret,
    pinata_api_key: apiKey,
    pinata_secret_api_key: apiSecret,
  };
}

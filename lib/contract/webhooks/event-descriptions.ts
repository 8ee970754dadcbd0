import type { EventName } from '@/lib/core/webhooks/events';

/** When each event is sent, for the documentation. */
export const eventDescriptions: Readonly<Record<EventName, string>> = {
  'stream.started': 'The stream is live: `isActive` is true and its HLS URL works.',
  'stream.idle': 'The stream has ended: `isActive` is false and its HLS URL no longer works.',
  'stream.rejected':
    'An encoder with a valid stream key was rejected. Sent at most once per minute and reason for each stream.',
  'stream.late':
    'An announced stream is not live one minute after its `startsAt`. Sent once for each `startsAt`.',
  'stream.warning':
    'A live stream has had problems for 20 seconds. `issues` has the problems and their remedies. Sent again only after `stream.recovered`.',
  'stream.recovered':
    'A live stream has been without problems for 20 seconds after `stream.warning`. A stream that ends first sends only `stream.idle`.',
  'stream.switched':
    'Another input of a live stream is on air: its primary encoder, its standby or its slate.',
  'stream.slate_started': 'The encoder of a live stream is away, and its slate is on air.',
  'stream.slate_ended':
    'The slate of a live stream is no longer on air: an encoder is back, or the stream ends.',
  'stream.viewers_stalling':
    'At least a tenth of the viewers of a live stream stalled within one minute. Sent at most once in five minutes for each stream.',
  'recording.started': 'Recording of a live stream has started.',
  'recording.waiting': 'A recorded stream has ended. Its recording is not ready yet.',
  'recording.ready': 'The recording of a session can be played and downloaded.',
  'multistream.connected': 'The stream is being sent to a multistream target.',
  'multistream.error': 'Connecting or sending to a multistream target failed.',
  'multistream.disconnected': 'The stream is no longer sent to a multistream target.',
  'asset.created': 'An asset was created by an upload, an import, a transcode, a recording or a clip.',
  'asset.updated': 'The status or a field of an asset has changed, or its file was replaced.',
  'asset.ready': 'An asset can be played and downloaded.',
  'asset.failed': 'An asset could not be processed. `errorMessage` in its status says why.',
  'asset.deleted': 'An asset was deleted.',
  'task.spawned': 'A task was created.',
  'task.updated': 'The status or the progress of a task has changed.',
  'task.completed': 'A task has completed.',
  'task.failed': 'A task has failed. `errorMessage` in its status says why.',
};

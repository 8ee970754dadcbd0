/**
 * Messages about assets, files and tasks, by code. Codes and the names of parameters, which are in braces, are part of the API.
 * A message without a subject follows the name of a field: `startTime: must be before the end of the video`.
 */
export const assets = {
  asset_not_ready_to_be: 'asset is not ready to be {purpose}: its phase is {phase}',
  chapters_or_file: 'send either chapters or chaptersFile',
  poster_without_video: 'the asset has no video yet, or only audio',
  poster_after_end: 'must be before the end of the video, which is {seconds} s long',
  chapters_too_few: 'must have at least two cues with text that start within the video',
  deleted_before_ready: 'deleted before it was ready',
  task_already: 'the task is already {phase}',
  too_many_tasks:
    'team {team} has reached the maximum number of pending tasks: {count} wait for a worker or for the rest of their file; the limit is {limit}. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.',
  too_many_tasks_of_browser_keys:
    'team {team} has reached the maximum number of pending tasks for a CORS-enabled API key: {count} wait for a worker or for the rest of their file; the limit is {limit}. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.',
  too_many_unsent_uploads:
    'uploads: {count} that were requested in the dashboard wait for their file; the limit is {limit}. Send the files or delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes expire after an hour.',
  too_many_unsent_uploads_of_key:
    'uploads: {count} that were requested with the API key {key} wait for their file; the limit is {limit}. Send the files or delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes expire after an hour.',
  task_not_retriable: 'the task is {phase}; only a failed or cancelled one can be retried',
  task_given_up:
    'this server could not finish the task within {hours} hours ({reason}); start it again with POST /api/task/{id}/retry',
  task_elsewhere: 'the task was cancelled, or continues in another run',
  task_goes_on_elsewhere: 'the task continues in another run',
  worker_stopped: 'the worker stopped before it finished the task',
  task_cancelled: 'cancelled',
  recording_keeps_file:
    'asset is the recording of a session, which keeps its file; upload the other file as a new asset',
  replacement_in_progress:
    'another replacement of this asset is in progress; wait until its task ends, or cancel it',
  output_deleted: 'its output asset was deleted',
  output_is: 'its output asset is {phase}',
  output_changing: 'its output asset is being changed',
  no_file_received: 'no file was received; request a new upload URL with POST /api/asset/{path}',
  uploaded_file_gone: 'the uploaded file is no longer available',
  recorded_media_gone: 'the recorded media is no longer available',
  input_deleted: 'its input asset was deleted',
  export_in_progress: 'the same export is already in progress',
  asset_in_path: 'remove it from the body; the path names the asset',
  ipfs_limited:
    'anyone can read files on IPFS, but the playback policy of this asset limits who may watch. Set playbackPolicy to null first',
  ipfs_limited_now:
    'anyone can read files on IPFS, but the playback policy of this asset limits who may watch',
  text_server_answered: 'the server answered with status {status}',
  text_too_long: 'the file must have at most {limit} characters',
  text_not_utf8: 'the file must be text in UTF-8',
  webvtt_too_long: 'is too long as WebVTT',
  no_cues: 'has no cues. Send a WebVTT or SubRip file in UTF-8',
  cue_times: 'line {line}: must have times such as 00:01:02.500 --> 00:01:04.000',
  cue_ends_early: 'line {line}: must end after it starts',
  too_many_cues: 'has more than {limit} cues',
  too_many_tracks: 'an asset can have at most {limit} tracks',
  track_label_taken: 'another track of this asset has this label',
  no_audio_for_speech: 'the asset has no audio, so there is no speech to recognise',
  already_transcribing: 'subtitles in {language} are already being generated',
  no_speech_model:
    'this server recognises no speech: its operator has to set STT_MODEL_DIR to the folder of a speech recognition model',
  no_speech_found: 'no speech was found in this asset',
  subtitles_too_many: 'the subtitles have more than {limit} lines',
  subtitles_too_long: 'the subtitles are too long',
  asset_deleted: 'the asset was deleted',
  upload_expired: 'upload expired: no file arrived before the URL expired',
  upload_taken_over: 'another upload of this asset took over',
  upload_in_progress: 'another upload of this asset is in progress; try again when it has ended',
  upload_failed: 'this upload failed: {reason}',
  already_uploaded: 'asset has already been uploaded',
  no_upload_address: 'the server named no address for the upload',
  no_disk_space: 'There is not enough disk space for this file.',
  upload_url_not_valid: 'This upload URL is invalid or has expired. Request a new one with POST {path}.',
  upload_unavailable: 'The upload is temporarily unavailable. Try again.',
  upload_stalled: 'The upload stalled. Send the whole file again to the same URL.',
  upload_ended_early: 'The upload ended early. Send the whole file again to the same URL.',
  upload_not_stored: 'The file could not be stored. Send it again to the same URL.',
  upload_too_large: 'The file is too large; at most {limit} bytes are accepted.',
  upload_not_processed:
    'The file arrived but could not be processed right now. It is kept and will be processed automatically; you can also upload it again.',
  logo_not_stored: 'The logo could not be stored. Send it again to the same URL.',
  logo_format: 'The logo must be a PNG, JPEG or WebP image.',
  slate_picture_not_stored: 'The slate picture could not be stored. Send it again to the same URL.',
  slate_picture_format: 'The slate picture must be a PNG, JPEG or WebP image.',
  logo_damaged: 'The image is damaged, animated or too large. Try a smaller PNG.',
  no_recording_of_link: 'is not a page for viewers of this service',
} as const;

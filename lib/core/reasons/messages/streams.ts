/** Messages about streams, their targets and recordings, by code. Codes and parameters (in braces) are part of the API. */
export const streams = {
  hint: 'Hint: {reason}',
  reconnecting:
    'Reconnecting: the connection to the encoder was lost; the stream goes idle if it does not come back',
  slate_on_air: 'The encoder is away; the slate has been on air since {time}.',
  slate_by_hand: 'The slate has been on air since {time}; it was chosen manually.',
  standby_elsewhere:
    'another encoder is publishing to this stream on another server: a standby encoder has to use the same one',
  no_picture: 'No video, only audio: check the video source of the encoder',
  audio_stopped: 'The audio stopped: check the audio source of the encoder',
  no_audio:
    'the encoder sends no audio. Add an audio source, even a silent one: some players and platforms need it',
  hevc_alone:
    'the encoder sends HEVC. Safari plays it, Chrome, Edge and Firefox only on some devices: add a profile to offer H.264 to the others',
  av1_alone:
    'the encoder sends AV1. Chrome, Edge and Firefox play it, Safari only on newer devices: add a profile to offer H.264 to the others',
  slow_source:
    'Video arrives at {share} of real time: lower the bitrate in the encoder, or check whether its CPU or the network is overloaded',
  slow_transcoding:
    'Transcoding runs at {share} of real time: this machine is too slow; use fewer or smaller renditions',
  keyframes_too_rare:
    'Keyframes every {seconds} s: set OBS Keyframe Interval to 2 s (ffmpeg: -g at twice the frame rate); viewers start late until then',
  keyframes_too_frequent:
    'Keyframes every {seconds} s: set OBS Keyframe Interval to 2 s; frequent keyframes reduce quality at the same bitrate',
  bitrate_swings:
    'The bitrate swings widely: set the encoder to constant bitrate (CBR), below what the upload can carry',
  low_bitrate:
    'too few bits for this picture size, so the picture may look blocky: raise the bitrate about {factor} times, or send a smaller picture',
  b_frames: 'B-frames delay the video by {seconds} s: set B-frames to 2 or fewer in the encoder',
  b_frames_with_wrong_times:
    'B-frames have wrong presentation times, so pictures are shown in the wrong order; set B-frames to 0 in the encoder',
  webrtc_b_frames: 'WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead',
  webrtc_no_sound: 'WebRTC viewers hear no audio, because it could not be encoded as Opus: {details}',
  timestamps_jumped_once:
    'Timestamps jumped once within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps',
  timestamps_jumped:
    'Timestamps jumped {count} times within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps',
  drift:
    'Audio and video drift apart, {seconds} s so far: use the same clock for both in the encoder, then restart it',
  no_keyframe: "no keyframe for {seconds} s; set the encoder's keyframe interval to 2 s",
  cut_without_keyframe: 'a segment had to be cut without a keyframe',
  late_picture:
    'the video started after the audio, so players restarted. Turn on the video source before the stream',
  audio_timestamps: 'audio timestamps do not match the video; audio frames were dropped',
  timeline_restarts: 'timestamps jumped; the timeline restarts',
  rendition_larger_than_source: 'rendition "{name}" ({size}) is left out: the source is only {source}',
  renditions_need_video: 'renditions need video; the encoder sends only audio',
  rendition_paused: 'rendition "{name}" is paused: {reason}; it will be retried later',
  rendition_over_quota: 'rendition "{name}" is left out: the quota allows {limit} of them for one stream',
  machine_too_slow: 'this machine is too slow for it',
  capacity_taken: 'other streams use the transcoding capacity',
  transcoding_restarts: 'transcoding failed and is restarting: {details}',
  rendition_not_recorded:
    'Rendition "{name}" of recordingSpec is not recorded: the stream has no profile with this name.',
  recording_stopped: 'The recording stopped: {reason}',
  dvr_stopped: 'DVR stopped: {reason}',
  recording_next_session: 'Recording was turned on and starts with the next session.',
  recording_to_its_end: 'Recording was turned off. This session is recorded to its end.',
  session_not_recorded: 'The session is not recorded. {reason}',
  no_dvr: 'Viewers cannot go back (dvrSeconds). {reason}',
  disk_almost_full: 'The disk is almost full.',
  disk_full: 'The disk is full.',
  segments_not_written: 'The segments could not be written to disk.',
  recording_not_imported: 'The recording could not be imported.',
  recording_files_not_made: 'The files of the recording could not be created.',
  recording_nothing_stored: 'No media of the recording was stored.',
  recording_no_room: 'There is not enough disk space for the MP4 of the recording.',
  recording_mp4_incomplete: 'The MP4 of the recording was not stored completely.',
  recording_failed: 'The recording failed',
  task_failed: 'The task failed',
  target_not_reached: 'The target could not be reached',
  video_has_problem: 'The incoming video has a problem',
  encoder_rejected: 'An encoder was rejected',
  unknown_key:
    'an encoder tried a key that differs from this stream’s key by one character: copy the key again',
  srt_passphrase_different: 'the SRT passphrase of the encoder is not the one of this stream: copy it again',
  srt_passphrase_missing: 'the encoder does not encrypt: enter the SRT passphrase of this stream in it',
  srt_passphrase_unexpected:
    'the encoder encrypts, but this stream has no SRT passphrase: set one, or remove it from the encoder',
  webrtc_unreachable:
    'no WebRTC media arrived at UDP port {port}: open this port, or use a network that does not block UDP',
  another_encoder: 'another encoder is publishing to this stream',
  server_draining: 'the server is going out of service: publish again to reach another one',
  stream_suspended: 'the stream is suspended',
  server_max_streams: 'the server has reached its limit of {limit} streams',
  server_overloaded: 'the server is overloaded and processes streams several seconds late: try again later',
  server_no_memory: 'the server has no free memory: try again later',
  child_not_publishable: 'a child-session object cannot be published to',
  encoder_publishing: 'an encoder is publishing to this stream',
  session_without_poster: 'a stream session has no poster',
  session_not_terminable: "can't terminate stream session",
  session_not_changeable: "can't patch stream session",
  session_not_settable: "can't set for session",
  session_not_switchable: "can't switch stream session",
  stream_not_live: 'the stream is not live',
  slate_is_off: 'the slate of this stream is off: turn it on with slate: true',
  primary_not_connected: 'the primary encoder is not connected',
  standby_not_connected: 'no standby encoder is connected',
  no_backup_key: 'the stream has no backup key: create one with backup: true',
  session_without_slate: 'a stream session has no slate',
  session_without_key: 'a stream session has no stream key',
  too_many_terminates: 'too many terminate requests',
  target_sending:
    'the stream {name} is sending to this target now: a test could interrupt it. Test again when the stream has ended',
  target_connecting:
    'the stream {name} is connecting to this target now: a test could interrupt it. Test again when the stream has ended',
  test_running: 'another test of a target is running: try again when it has ended',
  tests_unavailable: 'targets can’t be tested at the moment, try again',
  pull_no_public_address:
    'Pull: {host} has no public address. Check the host name in the URL, or ask the server’s operator to allow its address.',
  pull_not_public:
    'Pull: {host} is not a public address, so nothing is pulled from there. Use a public address, or ask the server’s operator to allow this one.',
  pull_refused_connection:
    'Pull: {host} refused the connection on port {port}. Check the port and that the source is running.',
  pull_silent:
    'Pull: {host} did not answer on port {port} in time. Check the host, the port and the firewall of the source.',
  pull_no_tls:
    'Pull: {host} did not accept a TLS connection on port {port}. Check the port and the certificate of the source.',
  pull_own_ingest:
    'Pull: {host} is the ingest of this service, which offers nothing to pull. Use the playback address of a stream.',
  pull_rejected:
    'Pull: {host} rejected the request. Check the key, the user name and the password in the URL, and the headers.',
  pull_rejected_because:
    'Pull: {host} rejected the request: {details}. Check the key, the user name and the password in the URL, and the headers.',
  pull_not_there:
    'Pull: {host} has nothing at this address. Check the path of the URL, and that the source is live.',
  pull_redirected: 'Pull: {host} refers to another server. Use the address of that server.',
  pull_no_media: 'Pull: {host} answered on port {port}, but sends no media. Check that the source is live.',
  pull_not_readable:
    'Pull: the media from {host} cannot be read. Check that it is live video in H.264 or HEVC.',
  pull_not_readable_because:
    'Pull: the media from {host} cannot be read: {details}. Check that it is live video in H.264 or HEVC.',
  pull_stopped_media: 'Pull: {host} stopped sending media. Check the source.',
  pull_ended: 'Pull: {host} ended the stream. It is pulled again when the source is back.',
  pull_lost: 'Pull: the connection to {host} was lost. It is pulled again when the source is back.',
  pull_not_accepted: 'Pull: media of {host} was not accepted.',
  pull_not_accepted_because: 'Pull: media of {host} was not accepted: {reason}.',
  pull_interrupted: 'Pull: pulling from {host} was interrupted on this server. It restarts automatically.',
  pull_given_up:
    'Pull: stopped, because no media arrived for 24 hours. Start it again when the source is live.',
  pull_switched_off: 'this server pulls no streams (PULL_STREAMS is 0)',
  pull_restricted_key: 'not for CORS-enabled API keys with restricted access',
  stream_without_pull: 'stream has no pull: set pull.source first',
  session_not_pullable: "can't pull stream session",
  pull_key_missing: '{key} must be present in the body',
  pull_key_not_unique: '{key} is not unique: several streams have this value',
  target_accepted_connection: '{host} accepted the connection.',
  target_accepted_key: '{host} accepted the stream key. Some services check it again when video arrives.',
  target_host_not_public:
    '{host} has no public address. Check the host name in the URL, or ask the server’s operator to allow its address.',
  target_not_public:
    '{host} is not a public address, so nothing is sent there. Use a public address, or ask the server’s operator to allow this one.',
  target_refused_connection:
    '{host} refused the connection on port {port}. Check the port and that the service is running.',
  target_silent:
    '{host} did not answer on port {port} in time. Check the host, the port and the firewall of the service.',
  target_no_tls:
    '{host} did not accept a TLS connection on port {port}. Check the port, or use rtmp:// if the service has no TLS.',
  target_no_tls_because:
    '{host} did not accept a TLS connection on port {port}: {details}. Check the port, or use rtmp:// if the service has no TLS.',
  target_no_https:
    '{host} did not accept a TLS connection on port {port}. Check the port and the certificate of the service.',
  target_no_https_because:
    '{host} did not accept a TLS connection on port {port}: {details}. Check the port and the certificate of the service.',
  target_not_whip: '{host} answered on port {port}, but not as a WHIP endpoint. Check the URL.',
  target_udp_blocked:
    '{host} accepted the offer, but no address in its answer can be reached over UDP. Check the firewalls on both sides.',
  target_webrtc_off:
    'This server sends nothing over WebRTC, because RTC_PORT is not set. Ask its operator to set it.',
  target_b_frames:
    'WHIP targets accept no B-frames. Set B-frames to 0 in the encoder, or add a profile to the stream.',
  target_codec_refused: '{host} does not accept H.264 with Opus over WebRTC. Use another target.',
  target_rejected_token:
    '{host} rejected the bearer token: {details}. Copy the token again, and put it after # in the URL.',
  target_no_endpoint:
    '{host} has no stream at this URL: {details}. Copy the URL again, and check that the event there has not ended.',
  target_endpoint_failed: '{host} can’t accept the stream now: {details}. It is tried again automatically.',
  target_not_rtmp:
    '{host} answered on port {port}, but not as an RTMP server. Check the port, and whether the URL should start with rtmps://.',
  target_rejected_stream:
    '{host} rejected the stream. Copy the stream key again, and check that no other encoder uses it.',
  target_rejected_stream_because:
    '{host} rejected the stream: {details}. Copy the stream key again, and check that no other encoder uses it.',
  target_is_own_ingest:
    '{host} is the ingest of this service, so the stream would loop. Use the address of another service.',
  target_takes_no_video:
    '{host} accepted the connection but takes no video. Check the stream key, and that the event there has started.',
  target_stopped_video:
    '{host} stopped taking video. Check its page for the state of the stream; it may be overloaded or have ended the event.',
  target_closed_connection:
    '{host} closed the connection. Check whether the event there has ended, and that no other encoder uses the stream key.',
  target_connection_lost:
    'The connection to {host} was lost. Check the status of the service and of the network.',
  target_connection_lost_because:
    'The connection to {host} was lost: {details}. Check the status of the service and of the network.',
  target_push_interrupted: 'Sending to {host} was interrupted on this server. It restarts automatically.',
  target_url_unusable: 'The URL can’t be used. Replace it.',
  target_url_unusable_because: 'The URL can’t be used: {details}. Replace it.',
  // Messages that earlier versions stored.
  recording_files_not_made_earlier: 'Its files could not be made.',
  recording_nothing_stored_earlier: 'Nothing of it was stored.',
  recording_no_room_earlier: 'There is no room on the disk for its MP4.',
  recording_mp4_incomplete_earlier: 'Its MP4 was not stored completely.',
  target_loops: 'this is the ingest of this service: the stream would loop',
  target_takes_no_media: 'the target accepts the connection but no media',
  target_stopped_accepting: 'the target stopped accepting media',
  target_refused_stream: 'the target refused the stream: {details}',
  target_closed: 'the target closed the connection',
  target_lost: 'the connection to the target was lost ({details})',
  stream_not_sent_because: 'the stream could not be sent: {details}',
  stream_not_sent: 'the stream could not be sent',
  target_codec: 'the encoder sends {codec}, and targets take H.264: add a profile to the stream',
  rendition_not_running: 'the rendition "{name}" is not running',
} as const;

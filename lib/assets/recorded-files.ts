/** Where the files of a finished recording are in the storage. */
export interface RecordedFiles {
  /** The whole recording as one MP4, its `moov` box before the media. */
  readonly mp4Key: string;
  /** Folder of its HLS: `index.m3u8` there is the playlist to begin with, all addresses in it are relative. */
  readonly hlsPrefix: string;
}

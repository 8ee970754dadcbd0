/** Public URLs of this service. */
export interface ServiceUrls {
  readonly baseUrl: string;
  /** Base URL of HLS playlists and files. */
  readonly cdnUrl: string;
  /** RTMP server URL; the stream key follows after a slash. */
  readonly rtmpUrl: string;
}

/** Step of a guide, with its command or file. */
export interface GuideStep {
  readonly text: string;
  readonly code: string;
  /** Name of the file for the code; absent: the code is a shell command. */
  readonly file?: string;
  /** Whether the command keeps running during the next steps. */
  readonly keepsRunning?: true;
}

/** A guide to one of the first tasks of a developer. All its steps can be run in order in an empty folder. */
export interface TaskGuide {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Required programs besides curl and Node. */
  readonly needs: readonly string[];
  readonly steps: readonly GuideStep[];
}

/** curl option for the API key. */
export const authHeader = '-H "Authorization: Bearer $HEADWATER_API_KEY"';
export const jsonHeader = "-H 'Content-Type: application/json'";
/** Shell expression that reads a field of a saved response. */
export const readFieldExpression = (file: string, field: string): string =>
  `$(node -p 'require("./${file}").${field}')`;

export const postCommand = (url: string, body: string, file: string): string =>
  [`curl -sSf ${url} ${authHeader} ${jsonHeader} \\`, `  -d '${body}' -o ${file}`].join('\n');

export const encoderCommand = (url: string): string =>
  [
    'ffmpeg -re -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine -t 20 \\',
    '  -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50 -c:a aac \\',
    `  -f flv "${url}"`,
  ].join('\n');

-- CreateTable
CREATE TABLE "StreamHealth" (
    "streamId" UUID NOT NULL,
    "sessionId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "minute" BOOLEAN NOT NULL,
    "bitrate" INTEGER NOT NULL,
    "videoBitrate" INTEGER NOT NULL,
    "audioBitrate" INTEGER NOT NULL,
    "videoCodec" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "audioCodec" TEXT,
    "sampleRate" INTEGER,
    "channels" INTEGER,
    "fps" DOUBLE PRECISION,
    "keyframeInterval" DOUBLE PRECISION,
    "reorder" INTEGER NOT NULL,
    "jumps" INTEGER NOT NULL,
    "drift" INTEGER,
    "speed" DOUBLE PRECISION NOT NULL,
    "transcodeSpeed" DOUBLE PRECISION,

    CONSTRAINT "StreamHealth_pkey" PRIMARY KEY ("streamId","at")
);

-- CreateIndex
CREATE INDEX "StreamHealth_minute_at_idx" ON "StreamHealth"("minute", "at");

-- AddForeignKey
ALTER TABLE "StreamHealth" ADD CONSTRAINT "StreamHealth_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

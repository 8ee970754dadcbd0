-- CreateTable
CREATE TABLE "PlaybackReport" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "objectId" UUID NOT NULL,
    "playbackId" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "player" TEXT NOT NULL,
    "timeline" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PlaybackReport_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PlaybackReport_teamId_idx" ON "PlaybackReport"("teamId");

-- CreateIndex
CREATE INDEX "PlaybackReport_createdAt_idx" ON "PlaybackReport"("createdAt");

-- AddForeignKey
ALTER TABLE "PlaybackReport" ADD CONSTRAINT "PlaybackReport_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

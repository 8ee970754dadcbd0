-- AlterTable
ALTER TABLE "Team" ADD COLUMN     "viewerReports" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "AudiencePeriod" (
    "objectId" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "seconds" INTEGER NOT NULL,
    "nodeId" UUID NOT NULL,
    "views" INTEGER NOT NULL,
    "startups" INTEGER NOT NULL,
    "startupMs" BIGINT NOT NULL,
    "left" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "stalls" INTEGER NOT NULL,
    "stallMs" BIGINT NOT NULL,
    "playedMs" BIGINT NOT NULL,
    "stalledViews" INTEGER NOT NULL,
    "slowStalls" INTEGER NOT NULL,
    "overloadedMs" BIGINT NOT NULL,
    "viewers" INTEGER NOT NULL,
    "peak" INTEGER NOT NULL,
    "presentMs" BIGINT NOT NULL,
    "startupTimes" INTEGER[],
    "latencies" INTEGER[],
    "heights" JSONB NOT NULL,
    "countries" JSONB NOT NULL,
    "devices" JSONB NOT NULL,
    "players" JSONB NOT NULL,

    CONSTRAINT "AudiencePeriod_pkey" PRIMARY KEY ("objectId","seconds","startsAt","nodeId")
);

-- CreateTable
CREATE TABLE "StallMinute" (
    "objectId" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "cause" TEXT NOT NULL,
    "measure" DOUBLE PRECISION,
    "stalls" INTEGER NOT NULL,
    "stallMs" BIGINT NOT NULL,
    "stalledViews" INTEGER NOT NULL,
    "viewers" INTEGER NOT NULL,

    CONSTRAINT "StallMinute_pkey" PRIMARY KEY ("objectId","minute")
);

-- CreateIndex
CREATE INDEX "AudiencePeriod_teamId_seconds_startsAt_idx" ON "AudiencePeriod"("teamId", "seconds", "startsAt");

-- CreateIndex
CREATE INDEX "AudiencePeriod_seconds_startsAt_idx" ON "AudiencePeriod"("seconds", "startsAt");

-- CreateIndex
CREATE INDEX "StallMinute_teamId_minute_idx" ON "StallMinute"("teamId", "minute");

-- CreateIndex
CREATE INDEX "StallMinute_minute_idx" ON "StallMinute"("minute");

-- AddForeignKey
ALTER TABLE "AudiencePeriod" ADD CONSTRAINT "AudiencePeriod_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "StallMinute" ADD CONSTRAINT "StallMinute_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

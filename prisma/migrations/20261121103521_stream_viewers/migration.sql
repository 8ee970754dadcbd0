-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "views" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "StreamViewers" (
    "streamId" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "nodeId" UUID NOT NULL,
    "viewers" INTEGER NOT NULL,
    "viewerSeconds" DOUBLE PRECISION NOT NULL,
    "views" INTEGER NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StreamViewers_pkey" PRIMARY KEY ("streamId","minute","nodeId")
);

-- CreateIndex
CREATE INDEX "StreamViewers_minute_idx" ON "StreamViewers"("minute");

-- AddForeignKey
ALTER TABLE "StreamViewers" ADD CONSTRAINT "StreamViewers_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

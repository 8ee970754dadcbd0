-- CreateTable
CREATE TABLE "TeamQuota" (
    "teamId" UUID NOT NULL,
    "liveStreams" BIGINT,
    "storageBytes" BIGINT,
    "uploadBytes" BIGINT,
    "renditions" BIGINT,
    "viewerBytes" BIGINT,

    CONSTRAINT "TeamQuota_pkey" PRIMARY KEY ("teamId")
);

-- AddForeignKey
ALTER TABLE "TeamQuota" ADD CONSTRAINT "TeamQuota_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

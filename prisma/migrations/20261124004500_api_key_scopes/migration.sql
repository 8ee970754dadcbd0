-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "createdBy" UUID,
ADD COLUMN     "expiresAt" TIMESTAMPTZ(3),
ADD COLUMN     "lastIp" TEXT,
ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY['all']::TEXT[];

-- Until now, a team was an account, which made its keys.
UPDATE "ApiKey" SET "createdBy" = "teamId";

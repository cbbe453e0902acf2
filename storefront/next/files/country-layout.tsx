import SvcLiveNow from "@modules/layout/components/svc-live-now"
import SvcPlayer from "@modules/layout/components/svc-player"
import "styles/svc.css"

export default function CountryLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <SvcLiveNow />
      {children}
      <SvcPlayer />
    </>
  )
}

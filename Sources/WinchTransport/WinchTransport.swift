public enum WinchTransport {}

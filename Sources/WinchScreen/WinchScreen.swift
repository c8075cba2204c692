public enum WinchScreen {}
